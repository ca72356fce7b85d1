/** The text of files that people choose or drop. */
export const MOST_MEBIBYTES = 2;

export type ReadFile =
  | { readonly name: string; readonly text: string }
  | { readonly name: string; readonly problem: "too_large" | "unread" };

export async function readFile(file: File): Promise<ReadFile> {
  if (file.size > MOST_MEBIBYTES * 1024 ** 2) return { name: file.name, problem: "too_large" };
  try {
    return { name: file.name, text: await file.text() };
  } catch {
    // A folder, or a file that went away: the browser does not say which.
    return { name: file.name, problem: "unread" };
  }
}

/** Several files as one YAML stream, in the order of their names as kubectl applies them. */
export function streamOf(files: readonly { readonly name: string; readonly text: string }[]): string {
  const sorted = [...files].sort((one, other) => one.name.localeCompare(other.name));
  return sorted.map(({ text }) => text.replace(/\n*$/, "\n")).join("---\n");
}
