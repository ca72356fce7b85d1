/**
 * Where in a YAML text a cursor is, while the text is being written.
 *
 * A half-written line is no YAML, so a parser is no help: the path is read from indentation, as a
 * person reads it. Block style only; inside of flow style ({a: 1}) and of block scalars there is no
 * place. One document is looked at, the one between two lines of `---`.
 */
import type { Path, ScalarAt } from "./outline";

export interface YamlPlace {
  /** `key`: a field's name is being written below `path`. `value`: the value of the field at `path`. */
  readonly at: "key" | "value";
  readonly path: Path;
  /** What is written so far, and where it begins. */
  readonly typed: string;
  readonly from: number;
  /** Columns before the key, or before the key whose value it is. */
  readonly indent: number;
  /** Fields that are there already, in the same object. */
  readonly siblings: ReadonlySet<string>;
  readonly scalarAt: ScalarAt;
}

interface Frame {
  readonly indent: number;
  readonly step: string | number;
  readonly isItem: boolean;
}

const KEY = /^("[^"]*"|'[^']*'|[^\s:#"'{}[\]&*!|>%@`,-][^:#]*|-[^\s:][^:#]*):(?:\s+|$)/;
const BLOCK_SCALAR = /^[|>][-+0-9]*\s*(#.*)?$/;

export function placeAt(text: string, offset: number): YamlPlace | undefined {
  const { begin, end } = documentAround(text, offset);
  const reader = new Reader();
  let place: Omit<YamlPlace, "siblings" | "scalarAt"> | undefined;
  let position = begin;
  for (const line of text.slice(begin, end).split("\n")) {
    const here = offset >= position && offset <= position + line.length;
    if (here) place = reader.cursor(line, offset - position, position);
    reader.read(line);
    position += line.length + 1;
  }
  if (!place) return undefined;
  const scalarAt: ScalarAt = (path) => reader.scalars.get(keyOf(path));
  const found = reader.fields.get(keyOf(place.at === "key" ? place.path : place.path.slice(0, -1)));
  const siblings = new Set(found ?? []);
  if (place.at === "key") siblings.delete(place.typed);
  return { ...place, siblings, scalarAt };
}

/** The path of the field whose name is at an offset: for explaining it. */
export function fieldNamedAt(text: string, offset: number): { path: Path; scalarAt: ScalarAt } | undefined {
  const begin = text.lastIndexOf("\n", offset - 1) + 1;
  const stop = text.indexOf("\n", offset);
  const line = text.slice(begin, stop < 0 ? text.length : stop);
  const lead = /^(\s*(?:-\s+)*)/.exec(line)?.[1]?.length ?? 0;
  const key = KEY.exec(line.slice(lead))?.[1];
  if (!key || offset < begin + lead || offset > begin + lead + key.length) return undefined;
  const place = placeAt(text, begin + lead);
  return place && { path: [...place.path, unquoted(key.trim())], scalarAt: place.scalarAt };
}

function documentAround(text: string, offset: number): { begin: number; end: number } {
  let begin = 0;
  for (const match of text.matchAll(/^---.*$/gm)) {
    if (match.index + match[0].length < offset) begin = Math.min(text.length, match.index + match[0].length + 1);
    else return { begin, end: match.index };
  }
  return { begin, end: text.length };
}

const keyOf = (path: Path): string => JSON.stringify(path);

const unquoted = (text: string): string => /^(["'])(.*)\1$/.exec(text)?.[2] ?? text;

class Reader {
  /** Path of an object -> its fields. */
  readonly fields = new Map<string, string[]>();
  /** Path of a single value -> its text. */
  readonly scalars = new Map<string, string>();
  private stack: Frame[] = [];
  /** Lines further in than this belong to a block scalar. */
  private scalarIndent: number | undefined;

  read(line: string): void {
    const indent = line.search(/\S/);
    if (indent < 0 || line[indent] === "#" || this.isInScalar(indent)) return;
    const { column, rest } = this.items(indent, line.slice(indent));
    const key = KEY.exec(rest);
    if (!key?.[1]) return;
    this.field(column, unquoted(key[1].trim()), rest.slice(key[0].length));
  }

  /** What is being written at `column` of a line that was not read yet. */
  cursor(line: string, column: number, start: number): Omit<YamlPlace, "siblings" | "scalarAt"> | undefined {
    const before = line.slice(0, column);
    const indent = before.search(/\S/);
    if (before.includes(" #") || before.trimStart().startsWith("#")) return undefined;
    const known = this.scalarIndent;
    if (this.isInScalar(indent < 0 ? column : indent)) return undefined;
    this.scalarIndent = known;
    const kept = this.stack;
    const items = this.items(indent < 0 ? column : indent, indent < 0 ? "" : before.slice(indent));
    this.pop(items.column);
    const path = this.path();
    this.stack = kept;
    const key = KEY.exec(items.rest);
    if (key?.[1]) {
      const typed = items.rest.slice(key[0].length);
      if (/[{[]/.test(typed) || !/\s$/.test(key[0])) return undefined;
      return {
        at: "value",
        path: [...path, unquoted(key[1].trim())],
        typed,
        from: start + column - typed.length,
        indent: items.column,
      };
    }
    if (/[:{[\]}]/.test(items.rest)) return undefined;
    return { at: "key", path, typed: items.rest, from: start + column - items.rest.length, indent: items.column };
  }

  private isInScalar(indent: number): boolean {
    if (this.scalarIndent === undefined) return false;
    if (indent > this.scalarIndent) return true;
    this.scalarIndent = undefined;
    return false;
  }

  /** Takes the dashes off the beginning of a line; each is an item of the list it stands in. */
  private items(indent: number, text: string): { column: number; rest: string } {
    let column = indent;
    let rest = text;
    for (let dash = /^-(\s+|$)/.exec(rest); dash; dash = /^-(\s+|$)/.exec(rest)) {
      this.item(column);
      column += Math.max(2, dash[0].length);
      rest = rest.slice(dash[0].length);
    }
    return { column, rest };
  }

  private item(column: number): void {
    const last = this.stack.findLast((frame) => frame.isItem && frame.indent === column);
    const inside = this.stack.findLast((frame) => frame.indent < column || (frame.indent === column && !frame.isItem));
    const follows = last && (!inside || this.stack.indexOf(last) > this.stack.indexOf(inside));
    this.stack = this.stack.filter((frame) => frame.indent < column || (frame.indent === column && !frame.isItem));
    this.stack.push({ indent: column, step: follows ? Number(last.step) + 1 : 0, isItem: true });
  }

  private field(column: number, name: string, value: string): void {
    this.pop(column);
    const path = this.path();
    const fields = this.fields.get(keyOf(path)) ?? [];
    this.fields.set(keyOf(path), [...fields, name]);
    this.stack.push({ indent: column, step: name, isItem: false });
    if (BLOCK_SCALAR.test(value)) this.scalarIndent = column;
    else if (value !== "") this.scalars.set(keyOf([...path, name]), unquoted(value.replace(/\s+#.*$/, "").trim()));
  }

  private pop(column: number): void {
    this.stack = this.stack.filter((frame) => frame.indent < column);
  }

  private path(): Path {
    return this.stack.map((frame) => frame.step);
  }
}
