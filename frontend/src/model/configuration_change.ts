/** What becomes different in a configuration, fact by fact, in words a person compares. */

export interface Fact {
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

export type Described =
  | { readonly kind: "value"; readonly path: string; readonly before: string; readonly after: string }
  /** A list of names: who came, who went; neither where only their order changed. */
  | {
      readonly kind: "list";
      readonly path: string;
      readonly added: readonly string[];
      readonly removed: readonly string[];
      readonly after: readonly string[];
    };

export function described({ path, before, after }: Fact, none: string): Described {
  const [old, now] = [names(before), names(after)];
  if (old && now && old.length + now.length > 0) {
    const added = now.filter((name) => !old.includes(name));
    const removed = old.filter((name) => !now.includes(name));
    return { kind: "list", path, added, removed, after: now };
  }
  return { kind: "value", path, before: shown(before, none), after: shown(after, none) };
}

/** A list of names; nothing at all is an empty one beside a list. */
function names(value: unknown): readonly string[] | undefined {
  if (value === null || value === undefined) return [];
  const isList = Array.isArray(value) && value.every((each) => typeof each === "string");
  return isList ? (value as readonly string[]) : undefined;
}

function shown(value: unknown, none: string): string {
  if (value === null || value === undefined) return none;
  return typeof value === "string" ? value : JSON.stringify(value);
}
