/** How tall an element is drawn. */
import { type RefObject, useLayoutEffect, useState } from "react";

/** Before it is known, and where nothing is laid out. */
const ASSUMED = 240;

export function useHeight(element: RefObject<HTMLElement | null>): number {
  const [height, setHeight] = useState(ASSUMED);
  useLayoutEffect(() => {
    const watched = element.current;
    if (!watched) return;
    const measure = () => setHeight(watched.clientHeight || ASSUMED);
    const observer = new ResizeObserver(measure);
    observer.observe(watched);
    measure();
    return () => observer.disconnect();
  }, [element]);
  return height;
}
