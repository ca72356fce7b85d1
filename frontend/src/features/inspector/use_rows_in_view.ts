/**
 * Which rows of a long table are in view: the others are two empty rows of their height.
 *
 * All rows are equally high, so a table of 5,000 nodes is drawn as fast as one of 30.
 */
import { type RefObject, useEffect, useState } from "react";

/** Rows drawn beyond the edges, so that nothing is blank while scrolling. */
const SPARE = 12;

export interface RowsInView {
  readonly first: number;
  readonly last: number;
  /** Pixels before and after the drawn rows. */
  readonly before: number;
  readonly after: number;
}

export function useRowsInView(box: RefObject<HTMLElement | null>, count: number, height: number): RowsInView {
  const [top, setTop] = useState(0);
  const [visible, setVisible] = useState(480);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    const look = () => {
      // In steps: a row that leaves by a pixel changes nothing.
      setTop(Math.floor(element.scrollTop / (height * 4)) * height * 4);
      setVisible(element.clientHeight);
    };
    look();
    element.addEventListener("scroll", look, { passive: true });
    return () => element.removeEventListener("scroll", look);
  }, [box, height]);
  const first = Math.min(Math.max(0, Math.floor(top / height) - SPARE), Math.max(0, count - 1));
  const last = Math.min(count, Math.ceil((top + visible) / height) + SPARE);
  return { first, last, before: first * height, after: Math.max(0, count - last) * height };
}
