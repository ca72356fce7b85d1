/** A text in which `words between backticks` are names: set as code. */
export function WithCode({ text }: { readonly text: string }) {
  const parts = text.split("`").map((part, index) => ({ part, index }));
  return parts.map(({ part, index }) => (index % 2 ? <code key={index}>{part}</code> : part));
}

/** The same for places that show plain text only. */
export const withoutBackticks = (text: string) => text.replaceAll("`", "");
