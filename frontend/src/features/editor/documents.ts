/**
 * Where in a YAML stream a document's path stands.
 *
 * The server counts documents and names the path of an error; the editor shows it at its line. The
 * `yaml` library knows the position of every value, also in a text that is only partly right.
 */
import { type Document, isCollection, isMap, isNode, isScalar, LineCounter, type Node, parseAllDocuments } from "yaml";

export interface YamlStream {
  /** The line (1 is the first) of a path in the document of this number (1 is the first), or as near as it goes. */
  lineOf(document: number, path: string): number;
  readonly length: number;
}

export function readStream(text: string): YamlStream {
  const counter = new LineCounter();
  const parsed = parseAllDocuments(text, { lineCounter: counter, strict: false, logLevel: "silent" });
  const documents = Array.isArray(parsed) ? parsed.filter((one) => one.contents !== null) : [];
  return {
    length: documents.length,
    lineOf(number, path) {
      const document = documents[number - 1];
      return document ? Math.max(1, counter.linePos(offsetOf(document, stepsOf(path))).line) : 1;
    },
  };
}

/** `spec.containers[0].image` as its steps. */
export function stepsOf(path: string): readonly (string | number)[] {
  return [...path.matchAll(/\[(\d+)\]|\["?([^\]"]+)"?\]|([^.[\]]+)/g)].map(([, index, quoted, name]) =>
    index === undefined ? (quoted ?? name ?? "") : Number(index),
  );
}

function offsetOf(document: Document, steps: readonly (string | number)[]): number {
  let at = isNode(document.contents) ? document.contents : undefined;
  let offset = startOf(at);
  for (const step of steps) {
    if (!isCollection(at)) break;
    const next = at.get(step, true);
    if (!isNode(next)) break;
    // An error at `image: 5` is at the key, which a value in lines below does not share.
    const key = isMap(at) ? at.items.find(({ key }) => isScalar(key) && key.value === step)?.key : undefined;
    offset = startOf(isNode(key) ? key : next);
    at = next;
  }
  return offset;
}

const startOf = (node: Node | undefined): number => node?.range?.[0] ?? 0;
