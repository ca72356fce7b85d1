/**
 * Something computed of a node and its pods, kept as long as both are the same objects.
 *
 * Cards and loads are immutable, so identity says it all: after a change only the nodes that it touched are
 * computed again.
 */
import type { NodeCard } from "./messages.generated";
import type { NodeLoad } from "./state";

export class KeptByNode<T> {
  private readonly kept = new WeakMap<NodeCard, { readonly load: NodeLoad; readonly value: T }>();

  constructor(private readonly compute: (node: NodeCard, load: NodeLoad) => T) {}

  of(node: NodeCard, load: NodeLoad): T {
    const known = this.kept.get(node);
    if (known?.load === load) return known.value;
    const value = this.compute(node, load);
    this.kept.set(node, { load, value });
    return value;
  }
}
