/** Where the cells of a small picture are: as large as they can be in the room beside a name, and never larger than a few. */

/** Wider than high. */
const ROOM = { width: 180, height: 44 };
const LARGEST = 20;
const GAP = 2;

export interface PictureLayout {
  readonly columns: number;
  /** A cell's side. */
  readonly cell: number;
  readonly step: number;
  readonly width: number;
  readonly height: number;
}

export function pictureLayout(cells: number): PictureLayout {
  let cell = LARGEST;
  while (cell > 1 && columnsOf(cell) * rowsOf(cell) < cells) cell -= 1;
  return { columns: columnsOf(cell), cell, step: cell + gapOf(cell), ...ROOM };
}

const gapOf = (cell: number): number => (cell > 6 ? GAP : 1);
const columnsOf = (cell: number): number => Math.floor((ROOM.width + gapOf(cell)) / (cell + gapOf(cell)));
const rowsOf = (cell: number): number => Math.floor((ROOM.height + gapOf(cell)) / (cell + gapOf(cell)));

export const average = (values: readonly number[]): number =>
  values.length === 0 ? 0 : Math.round(values.reduce((sum, value) => sum + value, 0) / values.length);
