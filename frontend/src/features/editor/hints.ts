/**
 * What can be told about a text while it is written, without asking the cluster: that it is no YAML,
 * and that a field is unknown. The server has the last word.
 */
import { isMap, isScalar, isSeq, LineCounter, type Node, parseAllDocuments } from "yaml";
import { fieldAt, type Outline, type Path, type ScalarAt } from "../../model/outline";
import type { LineProblem } from "./code_view";
import type { YamlHelp } from "./yaml_help";

/** More than that nobody reads. */
const MOST = 50;
/** A longer text is looked through by the server alone. */
const MOST_CHARACTERS = 400_000;

/** `unknownField` words the hint about a field that the outline does not have. */
export async function hintsOf(
  text: string,
  help: YamlHelp,
  unknownField: (name: string) => string,
): Promise<readonly LineProblem[]> {
  if (text.length > MOST_CHARACTERS) return [];
  const counter = new LineCounter();
  const parsed = parseAllDocuments(text, { lineCounter: counter, strict: true, logLevel: "silent" });
  const documents = Array.isArray(parsed) ? parsed : [];
  const placed = (offset: number) => ({ line: counter.linePos(offset).line, column: counter.linePos(offset).col });
  const broken = documents.flatMap(({ errors }) =>
    errors.map(({ pos, message }) => ({ ...placed(pos[0]), message: message.split("\n", 1)[0] ?? message })),
  );
  if (broken.length > 0) return broken.slice(0, MOST);
  const unknown = await Promise.all(
    documents.map(async ({ contents }) => {
      const scalarAt = scalarsOf(contents);
      const outline = await help.outlineOf(scalarAt(["kind"]));
      return outline ? [...unknownFields(contents, [], outline, scalarAt)] : [];
    }),
  );
  return unknown
    .flat()
    .slice(0, MOST)
    .map(({ name, offset }) => ({ ...placed(offset), message: unknownField(name), isWarning: true }));
}

interface Unknown {
  readonly name: string;
  readonly offset: number;
}

function* unknownFields(node: unknown, path: Path, outline: Outline, scalarAt: ScalarAt): Generator<Unknown> {
  if (isSeq(node)) {
    for (const [i, item] of node.items.entries()) yield* unknownFields(item, [...path, i], outline, scalarAt);
  }
  if (!isMap(node)) return;
  const here = fieldAt(outline, path, scalarAt);
  if (here?.type !== "object" && here?.type !== "map") return;
  for (const { key, value } of node.items) {
    if (!isScalar(key)) continue;
    const below = [...path, String(key.value)];
    if (fieldAt(outline, below, scalarAt)) yield* unknownFields(value, below, outline, scalarAt);
    // An object of which the outline knows nothing may have any field.
    else if (isKnown(outline, path, scalarAt)) yield { name: String(key.value), offset: (key as Node).range?.[0] ?? 0 };
  }
}

function isKnown(outline: Outline, path: Path, scalarAt: ScalarAt): boolean {
  const here = fieldAt(outline, path, scalarAt);
  if (here?.type !== "object") return false;
  const of = here.by === "" ? here.of : `${here.of}${scalarAt([...path.slice(0, -1), here.by]) ?? ""}`;
  return Object.hasOwn(outline.definitions, of);
}

function scalarsOf(contents: unknown): ScalarAt {
  return (path) => {
    let at: unknown = contents;
    for (const step of path) at = isMap(at) || isSeq(at) ? at.get(step, true) : undefined;
    return isScalar(at) ? String(at.value) : undefined;
  };
}
