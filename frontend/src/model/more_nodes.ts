/**
 * Many nodes from one template, spread evenly over zones: a part for each zone, one request each.
 */
export const MOST_NEW_NODES = 5000;

const ZONE_LABEL = "topology.kubernetes.io/zone";

export interface NodePart {
  /** Undefined: the template's own labels. */
  readonly zone: string | undefined;
  readonly count: number;
}

/** As even as the count allows, the first zones get one more; zones that get none are left out. */
export function partsOf(count: number, zones: readonly string[]): readonly NodePart[] {
  if (zones.length === 0) return [{ zone: undefined, count }];
  return zones
    .map((zone, at) => ({ zone, count: Math.ceil((count - at) / zones.length) }))
    .filter((part) => part.count > 0);
}

interface Labelled {
  readonly metadata: { readonly labels?: Readonly<Record<string, string>> };
}

export function inZone<M extends Labelled>(manifest: M, zone: string | undefined): M {
  if (zone === undefined) return manifest;
  const labels = { ...manifest.metadata.labels, [ZONE_LABEL]: zone };
  return { ...manifest, metadata: { ...manifest.metadata, labels } };
}

/** "a, b" or "a b"; a zone named twice counts once. */
export const zonesIn = (text: string): readonly string[] => [
  ...new Set(text.split(/[\s,]+/).filter((zone) => zone !== "")),
];

const LABEL_VALUE = /^[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/;

export const isLabelValue = (text: string): boolean => LABEL_VALUE.test(text);
