/**
 * Several nodes and pods picked at once, to be dragged or changed together.
 *
 * Nodes are picked by name and pods by uid, so that a node that is deleted and made again is picked still and a pod
 * of the same name is another one.
 */
export interface Picks {
  readonly nodes: ReadonlySet<string>;
  readonly pods: ReadonlySet<string>;
  /** Where the last pick was made: a range begins there. */
  readonly anchor: string | undefined;
}

export const NO_PICKS: Picks = { nodes: new Set(), pods: new Set(), anchor: undefined };

export const isEmpty = ({ nodes, pods }: Picks): boolean => nodes.size === 0 && pods.size === 0;

export function toggledNode(picks: Picks, name: string): Picks {
  return { ...picks, nodes: toggled(picks.nodes, name), anchor: name };
}

export function toggledPod(picks: Picks, uid: string): Picks {
  return { ...picks, pods: toggled(picks.pods, uid) };
}

function toggled(set: ReadonlySet<string>, one: string): ReadonlySet<string> {
  const next = new Set(set);
  if (!next.delete(one)) next.add(one);
  return next;
}

/** From the last pick to this node, in the board's order. */
export function rangeTo(picks: Picks, name: string, order: readonly string[]): Picks {
  const [from, to] = [order.indexOf(picks.anchor ?? name), order.indexOf(name)];
  if (to < 0) return picks;
  const start = from < 0 ? to : from;
  const range = order.slice(Math.min(start, to), Math.max(start, to) + 1);
  return { ...picks, nodes: new Set([...picks.nodes, ...range]), anchor: picks.anchor ?? name };
}

export const pickedToo = (picks: Picks, nodes: Iterable<string>, pods: Iterable<string>): Picks => ({
  nodes: new Set([...picks.nodes, ...nodes]),
  pods: new Set([...picks.pods, ...pods]),
  anchor: picks.anchor,
});

/** Without what is gone; the same object where nothing is. */
export function withoutGone(picks: Picks, hasNode: (name: string) => boolean, hasPod: (uid: string) => boolean): Picks {
  const [nodes, pods] = [[...picks.nodes].filter(hasNode), [...picks.pods].filter(hasPod)];
  if (nodes.length === picks.nodes.size && pods.length === picks.pods.size) return picks;
  return { ...picks, nodes: new Set(nodes), pods: new Set(pods) };
}

/** What a hand on this one holds: all that are picked if it is one of them, else itself. */
export const heldWith = (picked: ReadonlySet<string>, one: string): readonly string[] =>
  picked.has(one) ? [...picked] : [one];

export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export const boxBetween = (ax: number, ay: number, bx: number, by: number): Box => ({
  left: Math.min(ax, bx),
  top: Math.min(ay, by),
  right: Math.max(ax, bx),
  bottom: Math.max(ay, by),
});

export const overlaps = (a: Box, b: Box): boolean =>
  a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top;

export const isInside = (inner: Box, outer: Box): boolean =>
  inner.left >= outer.left && inner.right <= outer.right && inner.top >= outer.top && inner.bottom <= outer.bottom;
