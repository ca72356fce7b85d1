/** Which language the page speaks, and how a catalogue that lacks a text is completed. Pure. */
import type { Catalogue, Translation } from "./catalogue";

/** The first wanted language that there is: "ko-KR" is served by "ko". */
export function languageFor(wanted: readonly string[], available: readonly string[], fallback = "en"): string {
  const bases = wanted.map((tag) => tag.toLowerCase().split("-")[0] ?? "");
  return bases.find((base) => available.includes(base)) ?? fallback;
}

/** `complete` with every text that `part` has; what `part` lacks stays as it is. */
export function completed(complete: Catalogue, part: Translation): Catalogue {
  return merged(complete, part) as Catalogue;
}

type Tree = Readonly<Record<string, unknown>>;

const isTree = (value: unknown): value is Tree => typeof value === "object" && value !== null && !Array.isArray(value);

function merged(complete: Tree, part: Tree): Tree {
  const pairs = Object.entries(complete).map(([key, value]) => {
    const other = part[key];
    if (isTree(value) && isTree(other)) return [key, merged(value, other)];
    return [key, other ?? value];
  });
  return Object.fromEntries(pairs);
}
