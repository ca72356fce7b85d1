/**
 * Which rows of a long list are in view, as it is scrolled and resized; the others are empty room of their height.
 *
 * All rows are equally high, so a table of 5,000 nodes is drawn as fast as one of 30.
 */
import { type RefObject, useLayoutEffect, useState } from "react";
import { type RowsInView, rowsInView } from "../model/rows_in_view";

/** Before it is known, and where nothing is laid out. */
const ASSUMED_HEIGHT = 240;

interface InView extends RowsInView {
  /** Of the box. */
  readonly height: number;
}

export function useRowsInView(box: RefObject<HTMLElement | null>, count: number, rowHeight: number): InView {
  const [{ top, height }, setPlace] = useState({ top: 0, height: ASSUMED_HEIGHT });
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const look = () => {
      // In whole rows: one that leaves by a pixel changes nothing.
      const top = Math.floor(element.scrollTop / rowHeight) * rowHeight;
      const height = element.clientHeight || ASSUMED_HEIGHT;
      setPlace((before) => (before.top === top && before.height === height ? before : { top, height }));
    };
    const observer = new ResizeObserver(look);
    observer.observe(element);
    element.addEventListener("scroll", look, { passive: true });
    look();
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", look);
    };
  }, [box, rowHeight]);
  return { ...rowsInView(top, height, rowHeight, count), height };
}
