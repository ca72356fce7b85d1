/**
 * The language of search and filter: words that all must hold.
 *
 *     app=web          label app is web        app!=web     has the label app, and it is another
 *     node:n7          the node, and its pods  ns:shop      namespace
 *     zone:a           of the node             is:pending   see STATES
 *     owner:web        priority:>=100          taint:gpu    image:nginx   role:control-plane
 *     -app=web         the opposite of a word  "two words"  quoted, also after a colon
 *     web              name, namespace/name, or a label contains it
 *
 * `*` stands for any letters in a value. A word is asked of one thing at a time, a node or a pod; a word
 * that makes no sense for a thing (a pod's `taint:`) does not hold, and its opposite does not either, so
 * that `-is:pending` is about pods and leaves nodes alone. Whatever cannot be read is told as a problem,
 * and the rest of the text still works.
 */
import type { NodeCard, PodCard, QueuedPodCard } from "./messages.generated";
import { own } from "./own";
import { phaseOf } from "./phase";

/** Something that a query is asked about. */
export type Subject =
  | { readonly kind: "node"; readonly node: NodeCard }
  | {
      readonly kind: "pod";
      readonly pod: PodCard;
      /** The node it is bound to, where that is known. */
      readonly node: NodeCard | undefined;
      readonly queue: QueuedPodCard["queue"] | undefined;
    };

/** What a word says of a thing; undefined: nothing, it is not about such things. */
type Answer = boolean | undefined;
type Ask = (subject: Subject) => Answer;

export interface Query {
  readonly text: string;
  /** No words: matches everything and highlights nothing. */
  readonly isEmpty: boolean;
  /** True where a word is more than free text. */
  readonly hasOperators: boolean;
  readonly problems: readonly Problem[];
  readonly matches: (subject: Subject) => boolean;
}

export type Problem =
  | { readonly kind: "unknown_key"; readonly word: string; readonly known: readonly string[] }
  | { readonly kind: "unknown_state"; readonly word: string; readonly known: readonly string[] }
  | { readonly kind: "not_a_number"; readonly word: string }
  | { readonly kind: "no_value"; readonly word: string }
  | { readonly kind: "too_long"; readonly word: string };

/** A longer text is cut: nobody types it, and it would be asked of every pod. */
export const LONGEST_TEXT = 500;

export function parseQuery(text: string): Query {
  const problems: Problem[] = [];
  if (text.length > LONGEST_TEXT) problems.push({ kind: "too_long", word: `${text.slice(0, 20)}…` });
  const words = wordsOf(text.slice(0, LONGEST_TEXT));
  const asked: Ask[] = [];
  for (const word of words) {
    const ask = askOf(word, problems);
    if (ask) asked.push(word.negated ? opposite(ask) : ask);
  }
  return {
    text,
    isEmpty: asked.length === 0,
    hasOperators: words.some((word) => word.negated || word.operator !== undefined),
    problems,
    matches: (subject) => asked.every((ask) => ask(subject) === true),
  };
}

const opposite =
  (ask: Ask): Ask =>
  (subject) => {
    const answer = ask(subject);
    return answer === undefined ? undefined : !answer;
  };

interface Word {
  readonly text: string;
  readonly negated: boolean;
  readonly key: string;
  readonly operator: ":" | "=" | "!=" | undefined;
  readonly value: string;
}

const WORD = /(-?)(?:"([^"]*)"?|([^\s"]*?)(!=|[:=])(?:"([^"]*)"?|(\S*))|(\S+))/g;

function wordsOf(text: string): readonly Word[] {
  return [...text.matchAll(WORD)].map(wordOf).filter((word) => word.operator !== undefined || word.value !== "");
}

function wordOf([text, minus, quoted, key, operator, quotedValue, value, plain]: RegExpMatchArray): Word {
  return {
    text,
    negated: minus === "-",
    key: operator ? (key ?? "") : "",
    operator: operator as Word["operator"],
    value: quoted ?? quotedValue ?? value ?? plain ?? "",
  };
}

function askOf(word: Word, problems: Problem[]): Ask | undefined {
  const { key, operator, value, text } = word;
  if (operator === undefined) return contains(value);
  if (key === "" || value === "") {
    problems.push({ kind: "no_value", word: text });
    return undefined;
  }
  if (operator === ":") return fieldAsk(word, problems);
  return labelAsk(key, value, operator === "!=");
}

function contains(value: string): Ask {
  const wanted = value.toLowerCase();
  return (subject) => textOf(subject).includes(wanted);
}

/** Everything of a thing that free text looks at, in small letters; kept, since it is looked at with every key. */
const texts = new WeakMap<NodeCard | PodCard, string>();

function textOf(subject: Subject): string {
  const thing = thingOf(subject);
  let text = texts.get(thing);
  if (text === undefined) {
    const labels = Object.entries(thing.labels).map(([key, value]) => `${key}=${value}`);
    text = [placeAndName(subject), ...labels].join("\n").toLowerCase();
    texts.set(thing, text);
  }
  return text;
}

const thingOf = (subject: Subject): NodeCard | PodCard => (subject.kind === "node" ? subject.node : subject.pod);

const placeAndName = (subject: Subject): string =>
  subject.kind === "node"
    ? `${subject.node.zone}/${subject.node.name}`
    : `${subject.pod.namespace}/${subject.pod.name}`;

function labelAsk(key: string, value: string, other: boolean): Ask {
  const fits = pattern(value);
  return (subject) => {
    const found = own(thingOf(subject).labels, key);
    if (found === undefined) return false;
    return fits(found) !== other;
  };
}

/** Whole values, `*` for any letters; letter case does not matter. */
function pattern(value: string): (text: string) => boolean {
  const wanted = value.toLowerCase();
  if (!wanted.includes("*")) return (text) => text.toLowerCase() === wanted;
  const parts = wanted.split(/\*+/);
  return (text) => fitsParts(text.toLowerCase(), parts);
}

/** The first part at the start, the last at the end, the others between them in order: no backtracking. */
function fitsParts(text: string, parts: readonly string[]): boolean {
  const first = parts[0] ?? "";
  const last = parts.at(-1) ?? "";
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false;
  let at = first.length;
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at <= text.length - last.length;
}

const onNode =
  (ask: (node: NodeCard) => boolean): Ask =>
  ({ node }) =>
    node && ask(node);

const onOwnNode =
  (ask: (node: NodeCard) => boolean): Ask =>
  (subject) =>
    subject.kind === "node" ? ask(subject.node) : undefined;

const onPod =
  (ask: (pod: PodCard) => boolean): Ask =>
  (subject) =>
    subject.kind === "pod" ? ask(subject.pod) : undefined;

type Field = (value: string, word: string, problems: Problem[]) => Ask | undefined;

/** `key:value`. */
const FIELDS: Readonly<Record<string, Field>> = {
  node: (value) => nodeAsk(pattern(value)),
  pod: (value) => onPod(nameFits(pattern(value))),
  ns: (value) => namespaceAsk(pattern(value)),
  namespace: (value) => namespaceAsk(pattern(value)),
  zone: (value) => zoneAsk(pattern(value)),
  owner: (value) => ownerAsk(pattern(value)),
  image: (value) => imageAsk(pattern(`*${value}*`)),
  taint: (value) => taintAsk(pattern(value)),
  role: (value) => roleAsk(pattern(value)),
  scheduler: (value) => schedulerAsk(pattern(value)),
  priority: priorityAsk,
  is: stateAsk,
};

export const KEYS: readonly string[] = Object.keys(FIELDS);

function fieldAsk({ key, value, text }: Word, problems: Problem[]): Ask | undefined {
  const field = own(FIELDS, key.toLowerCase());
  if (field) return field(value, text, problems);
  problems.push({ kind: "unknown_key", word: key, known: KEYS });
  return undefined;
}

type Fits = (text: string) => boolean;

const nameFits =
  (fits: Fits) =>
  ({ name }: { readonly name: string }): boolean =>
    fits(name);

/** A pod is of its node by name, also where the node is gone. */
const nodeAsk =
  (fits: Fits): Ask =>
  (subject) =>
    subject.kind === "node" ? fits(subject.node.name) : fits(subject.pod.node_name);

const namespaceAsk = (fits: Fits): Ask => onPod((pod) => fits(pod.namespace));
const zoneAsk = (fits: Fits): Ask => onNode((node) => fits(node.zone));
const ownerAsk = (fits: Fits): Ask =>
  onPod(({ owner }) => owner !== null && (fits(owner.name) || fits(`${owner.kind}/${owner.name}`)));
const schedulerAsk = (fits: Fits): Ask => onPod((pod) => fits(pod.scheduler_name));
const roleAsk = (fits: Fits): Ask => onOwnNode(({ roles }) => roles.some(fits));
const taintAsk = (fits: Fits): Ask =>
  onOwnNode(({ taints }) =>
    taints.some((taint) => fits(taint.key) || fits(`${taint.key}=${taint.value}`) || fits(taint.effect)),
  );
const imageAsk =
  (fits: Fits): Ask =>
  (subject) =>
    subject.kind === "node" ? subject.node.images.some(fits) : fits(subject.pod.image);

const COMPARISON = /^(>=|<=|>|<|=)?(-?\d+)$/;

function priorityAsk(value: string, word: string, problems: Problem[]): Ask | undefined {
  const found = COMPARISON.exec(value);
  if (!found) {
    problems.push({ kind: "not_a_number", word });
    return undefined;
  }
  const limit = Number(found[2]);
  const holds = COMPARED[found[1] ?? "="];
  return holds && onPod(({ priority }) => holds(priority, limit));
}

const COMPARED: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  ">=": (a, b) => a >= b,
  "<=": (a, b) => a <= b,
  ">": (a, b) => a > b,
  "<": (a, b) => a < b,
  "=": (a, b) => a === b,
};

/** Of a pod, what the queue says of it. */
const inQueue =
  (...queues: readonly QueuedPodCard["queue"][]): Ask =>
  (subject) =>
    subject.kind === "pod" ? subject.queue !== undefined && queues.includes(subject.queue) : undefined;

const STATES: Readonly<Record<string, Ask>> = {
  pending: onPod((pod) => pod.phase === "Pending" && pod.node_name === ""),
  bound: onPod((pod) => pod.node_name !== ""),
  starting: onPod((pod) => phaseOf(pod) === "starting"),
  running: onPod((pod) => phaseOf(pod) === "running"),
  succeeded: onPod((pod) => phaseOf(pod) === "succeeded"),
  failed: onPod((pod) => phaseOf(pod) === "failed"),
  terminating: onPod((pod) => phaseOf(pod) === "terminating"),
  nominated: onPod((pod) => pod.node_name === "" && pod.nominated_node_name !== ""),
  active: inQueue("activeQ"),
  backoff: inQueue("backoffQ"),
  unschedulable: inQueue("unschedulablePods"),
  gated: inQueue("gated"),
  waiting: inQueue("waiting"),
  binding: inQueue("binding"),
  cordoned: onOwnNode((node) => node.unschedulable),
  ready: onOwnNode((node) => node.ready === "True"),
  notready: onOwnNode((node) => node.ready !== "True"),
  tainted: onOwnNode((node) => node.taints.length > 0),
};

export const STATE_NAMES: readonly string[] = Object.keys(STATES);

function stateAsk(value: string, _word: string, problems: Problem[]): Ask | undefined {
  const state = own(STATES, value.toLowerCase());
  if (state) return state;
  problems.push({ kind: "unknown_state", word: value, known: STATE_NAMES });
  return undefined;
}

export const EMPTY_QUERY = parseQuery("");
