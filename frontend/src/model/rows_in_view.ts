/** Of a long list of rows of one height: those that are drawn. */
export interface RowsInView {
  readonly first: number;
  /** Behind the last one. */
  readonly end: number;
}

/** Rows in view, and a few around them so that scrolling shows no gaps. */
export function rowsInView(scrolled: number, height: number, rowHeight: number, count: number, around = 6): RowsInView {
  const first = Math.max(0, Math.min(Math.floor(scrolled / rowHeight), count) - around);
  return { first, end: Math.min(count, Math.ceil((scrolled + height) / rowHeight) + around) };
}
