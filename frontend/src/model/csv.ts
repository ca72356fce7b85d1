/** Comma-separated values as RFC 4180 has them. */
type Cell = string | number;

function quoted(cell: Cell): string {
  const text = String(cell);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export const toCsv = (rows: readonly (readonly Cell[])[]): string =>
  rows.map((row) => row.map(quoted).join(",")).join("\r\n");
