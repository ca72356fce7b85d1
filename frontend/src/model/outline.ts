/**
 * What may stand where in a document, by its outline: the fields a kind has, their types and known values.
 *
 * A path leads through objects by field, through lists by number, and through maps by any key. The
 * outline is the server's; its types are told here again since the model knows no transport.
 */
export interface OutlineField {
  /** object, list, map, or the type of a single value. */
  readonly type: string;
  /** What an object is, or what a list or a map has in it: a definition, or the type of a single value. */
  readonly of: string;
  /** Where `of` is only the beginning of a definition's name: the field beside it that has the rest. */
  readonly by: string;
  readonly required: boolean;
  readonly doc: string;
  readonly values: readonly string[];
}

export type Fields = Readonly<Record<string, OutlineField>>;

export interface Outline {
  readonly api_version: string;
  readonly kind: string;
  readonly root: string;
  readonly definitions: Readonly<Record<string, Fields>>;
}

export type Step = string | number;
export type Path = readonly Step[];

/** The text of a single value in the same document, to know which of several things an object is. */
export type ScalarAt = (path: Path) => string | undefined;

/** What is at a path: a field as if it stood there by itself; undefined where the outline says nothing. */
export function fieldAt(outline: Outline, path: Path, scalarAt: ScalarAt = () => undefined): OutlineField | undefined {
  let at: OutlineField | undefined = whole(outline);
  for (const [depth, step] of path.entries()) {
    if (!at) return undefined;
    at = typeof step === "number" ? inList(outline, at) : inside(outline, at, step, path.slice(0, depth), scalarAt);
  }
  return at;
}

/** The fields of the object at a path; undefined where there is none, or any may stand there. */
export function fieldsAt(outline: Outline, path: Path, scalarAt: ScalarAt = () => undefined): Fields | undefined {
  const at = fieldAt(outline, path, scalarAt);
  return at?.type === "object" ? outline.definitions[definitionOf(at, path.slice(0, -1), scalarAt)] : undefined;
}

const whole = ({ root }: Outline): OutlineField => ({ ...NOTHING, type: "object", of: root });

const NOTHING: OutlineField = { type: "any", of: "", by: "", required: false, doc: "", values: [] };

function inList(outline: Outline, list: OutlineField): OutlineField | undefined {
  return list.type === "list" ? held(outline, list) : undefined;
}

function inside(
  outline: Outline,
  holder: OutlineField,
  step: string,
  path: Path,
  scalarAt: ScalarAt,
): OutlineField | undefined {
  if (holder.type === "map") return held(outline, holder);
  if (holder.type !== "object") return undefined;
  const fields = outline.definitions[definitionOf(holder, path.slice(0, -1), scalarAt)];
  return fields && Object.hasOwn(fields, step) ? fields[step] : undefined;
}

/** An item of a list or a value of a map. A list's known values are those of its items, a map's are keys. */
function held(outline: Outline, { type, of, values, doc }: OutlineField): OutlineField {
  const isObject = Object.hasOwn(outline.definitions, of);
  return {
    ...NOTHING,
    type: isObject ? "object" : of,
    of: isObject ? of : "",
    doc,
    values: type === "list" ? values : [],
  };
}

function definitionOf({ of, by }: OutlineField, beside: Path, scalarAt: ScalarAt): string {
  return by === "" ? of : `${of}${scalarAt([...beside, by]) ?? ""}`;
}
