/**
 * What can be put on a node: a taint, a label, an image. Read from what a person types, as kubectl reads it.
 *
 *     dedicated=gpu:NoSchedule   maintenance:NoExecute       a taint
 *     disktype=ssd   gpu                                     a label
 *     registry.example/app:1.0=200Mi                         an image and its size
 */
import type { NodeCard } from "../model/messages.generated";
import { taintText } from "../model/node_view";
import { own } from "../model/own";

export type Taint = NodeCard["taints"][number];

export interface Label {
  readonly key: string;
  readonly value: string;
}

export interface NodeImage {
  readonly name: string;
  readonly size_bytes: number;
}

export type Mark =
  | { readonly kind: "taint"; readonly taint: Taint }
  | { readonly kind: "label"; readonly label: Label }
  | { readonly kind: "image"; readonly image: NodeImage };

export type MarkKind = Mark["kind"];

export type Problem = "label" | "value" | "taint" | "effect" | "image" | "quantity" | "resource";

export type Parsed<T> = { readonly value: T } | { readonly problem: Problem };

const NAME = /^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/;
const PREFIX = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const LONGEST_NAME = 63;
const LONGEST_PREFIX = 253;

/** `name` or `prefix/name`, as Kubernetes calls labels, taints and extended resources. */
export function isQualifiedName(key: string): boolean {
  const slash = key.indexOf("/");
  const [prefix, name] = slash < 0 ? [undefined, key] : [key.slice(0, slash), key.slice(slash + 1)];
  if (prefix !== undefined && !(PREFIX.test(prefix) && prefix.length <= LONGEST_PREFIX)) return false;
  return NAME.test(name) && name.length <= LONGEST_NAME;
}

const isLabelValue = (value: string): boolean => value === "" || (NAME.test(value) && value.length <= LONGEST_NAME);

/** `key=value` or `key`. */
export function parseLabel(text: string): Parsed<Label> {
  const [key = "", ...rest] = text.trim().split("=");
  const value = rest.join("=");
  if (!isQualifiedName(key)) return { problem: "label" };
  return isLabelValue(value) ? { value: { key, value } } : { problem: "value" };
}

export const EFFECTS = ["NoSchedule", "PreferNoSchedule", "NoExecute"] as const;

const isEffect = (text: string): boolean => EFFECTS.some((effect) => effect === text);

/** `key=value:Effect` or `key:Effect`. */
export function parseTaint(text: string): Parsed<Taint> {
  const colon = text.lastIndexOf(":");
  if (colon < 0) return { problem: "taint" };
  const effect = text.slice(colon + 1).trim();
  const label = parseLabel(text.slice(0, colon));
  if ("problem" in label) return label.problem === "value" ? label : { problem: "taint" };
  return isEffect(effect) ? { value: { ...label.value, effect } } : { problem: "effect" };
}

const IMAGE = /^[a-z0-9]([a-z0-9._\-/:@]*[A-Za-z0-9._-])?(:[A-Za-z0-9_][A-Za-z0-9._-]{0,127})?$/;
const LONGEST_IMAGE = 500;
const MEBI = 1024 ** 2;
/** Where none is said; ImageLocality counts images from 23Mi on. */
const USUAL_SIZE = 200 * MEBI;

/** `name` or `name=size`. */
export function parseImage(text: string): Parsed<NodeImage> {
  const [name = "", size] = text.trim().split("=");
  if (!IMAGE.test(name) || name.length > LONGEST_IMAGE) return { problem: "image" };
  const size_bytes = size === undefined ? USUAL_SIZE : bytesOf(size);
  return size_bytes === undefined ? { problem: "quantity" } : { value: { name, size_bytes } };
}

const UNITS: Readonly<Record<string, number>> = {
  "": 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  Ki: 1024,
  Mi: MEBI,
  Gi: 1024 ** 3,
};
const SIZE = /^(\d{1,12}(?:\.\d{1,6})?)(k|M|G|Ki|Mi|Gi)?$/;

function bytesOf(text: string): number | undefined {
  const found = SIZE.exec(text);
  return found ? Math.ceil(Number(found[1]) * (UNITS[found[2] ?? ""] ?? 1)) : undefined;
}

const QUANTITY = /^\d{1,15}(\.\d{1,9})?(m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei|[eE]\d{1,2})?$/;

/** An amount of a resource as a person types it; the server has the last word. */
export function parseQuantity(text: string): Parsed<string> {
  const trimmed = text.trim();
  return QUANTITY.test(trimmed) ? { value: trimmed } : { problem: "quantity" };
}

/** `resource=quantity`, for a resource that the node does not have yet. */
export function parseResource(text: string): Parsed<{ readonly resource: string; readonly quantity: string }> {
  const [resource = "", quantity = "", ...more] = text.trim().split("=");
  if (!isQualifiedName(resource) || more.length > 0) return { problem: "resource" };
  const amount = parseQuantity(quantity);
  return "problem" in amount ? amount : { value: { resource, quantity: amount.value } };
}

export function parseMark(kind: MarkKind, text: string): Parsed<Mark> {
  if (kind === "taint") return mapped(parseTaint(text), (taint) => ({ kind, taint }));
  if (kind === "label") return mapped(parseLabel(text), (label) => ({ kind, label }));
  return mapped(parseImage(text), (image) => ({ kind, image }));
}

function mapped<A, B>(parsed: Parsed<A>, made: (value: A) => B): Parsed<B> {
  return "problem" in parsed ? parsed : { value: made(parsed.value) };
}

export const labelText = ({ key, value }: Label): string => (value ? `${key}=${value}` : key);

export function markText(mark: Mark): string {
  if (mark.kind === "taint") return taintText(mark.taint);
  return mark.kind === "label" ? labelText(mark.label) : mark.image.name;
}

/** What the mark would do to a node, as far as its card tells. */
export type MarkEffect =
  | { readonly kind: "new" }
  | { readonly kind: "there" }
  | { readonly kind: "replaces"; readonly before: string };

export function effectOf(mark: Mark, node: Pick<NodeCard, "taints" | "labels" | "images">): MarkEffect {
  const before = valueBefore(mark, node);
  if (before === undefined) return { kind: "new" };
  return before === markText(mark) ? { kind: "there" } : { kind: "replaces", before };
}

function valueBefore(mark: Mark, node: Pick<NodeCard, "taints" | "labels" | "images">): string | undefined {
  if (mark.kind === "image") return node.images.find((name) => name === mark.image.name);
  if (mark.kind === "label") {
    const value = own(node.labels, mark.label.key);
    return value === undefined ? undefined : labelText({ key: mark.label.key, value });
  }
  const same = node.taints.find(({ key, effect }) => key === mark.taint.key && effect === mark.taint.effect);
  return same && taintText(same);
}
