/**
 * Many nodes from one template, as streams that are applied one after the other.
 *
 * Names are the template's prefix and a number that goes on behind the highest there is. Zones, where named,
 * are given in turn, so that they come out even.
 */
export interface NodeOrder {
  /** A node's manifest; its name is not read. */
  readonly manifest: NodeManifest;
  readonly prefix: string;
  readonly count: number;
  /** None: the template's labels stay as they are. */
  readonly zones: readonly string[];
}

interface NodeManifest {
  readonly metadata: { readonly labels?: Readonly<Record<string, string>> };
  readonly [field: string]: unknown;
}

export const MOST_NEW_NODES = 5000;
/** Nodes of one request: it takes about two seconds. */
export const NODES_A_REQUEST = 1000;

const ZONE_LABEL = "topology.kubernetes.io/zone";

export function nodeStreams(order: NodeOrder, existing: Iterable<string>): readonly string[] {
  const names = newNames(order.prefix, order.count, existing);
  const streams: string[] = [];
  for (let from = 0; from < names.length; from += NODES_A_REQUEST) {
    const items = names.slice(from, from + NODES_A_REQUEST).map((name, at) => nodeOf(order, name, from + at));
    streams.push(JSON.stringify({ apiVersion: "v1", kind: "List", items }));
  }
  return streams;
}

export function newNames(prefix: string, count: number, existing: Iterable<string>): readonly string[] {
  const first = highestNumber(prefix, existing) + 1;
  const digits = String(first + count - 1).length;
  return Array.from({ length: count }, (_, at) => `${prefix}-${String(first + at).padStart(digits, "0")}`);
}

function highestNumber(prefix: string, existing: Iterable<string>): number {
  let highest = 0;
  for (const name of existing) {
    const rest = name.startsWith(`${prefix}-`) ? name.slice(prefix.length + 1) : "";
    if (/^\d{1,9}$/.test(rest)) highest = Math.max(highest, Number(rest));
  }
  return highest;
}

function nodeOf({ manifest, zones }: NodeOrder, name: string, at: number): unknown {
  const zone = zones[at % Math.max(1, zones.length)];
  const labels = { ...manifest.metadata.labels, ...(zone ? { [ZONE_LABEL]: zone } : {}) };
  return { ...manifest, metadata: { name, labels: { ...labels, "kubernetes.io/hostname": name } } };
}

/** "a, b" or "a b". */
export const zonesIn = (text: string): readonly string[] => text.split(/[\s,]+/).filter((zone) => zone !== "");

const LABEL_VALUE = /^[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/;

export const isLabelValue = (text: string): boolean => LABEL_VALUE.test(text);
