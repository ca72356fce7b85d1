/** Where the cells of a small picture are. */
export const CELL = 10;
const GAP = 2;
/** Wider than high, as the place beside a name is. */
const ROOM = { width: 168, height: 48 };

export interface PictureLayout {
  readonly columns: number;
  readonly step: number;
  readonly width: number;
  readonly height: number;
}

/** As many rows as fit best into the room; the picture is scaled to it. */
export function pictureLayout(cells: number): PictureLayout {
  const step = CELL + GAP;
  const least = Math.floor(ROOM.width / step);
  const columns = Math.max(least, Math.ceil(Math.sqrt((cells * ROOM.width) / ROOM.height)));
  const rows = Math.max(Math.floor(ROOM.height / step), Math.ceil(cells / columns));
  return { columns, step, width: columns * step - GAP, height: rows * step - GAP };
}

export const average = (values: readonly number[]): number =>
  values.length === 0 ? 0 : Math.round(values.reduce((sum, value) => sum + value, 0) / values.length);
