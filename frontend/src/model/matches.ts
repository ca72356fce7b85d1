/**
 * Which nodes and pods of the board a query finds, kept as long as a node and its pods stay the same.
 *
 * A node is lit when the query finds the node or one of its pods. The answers are filed under the node's load
 * and card, both immutable, so that after a change only the nodes it touched are asked again.
 */
import type { Query, Subject } from "./filter_language";
import { KeptByNode } from "./kept_by_node";
import type { NodeCard, PodCard } from "./messages.generated";
import { type ClusterState, NO_LOAD, type NodeLoad } from "./state";

export interface NodeMatch {
  readonly node: boolean;
  readonly pods: ReadonlySet<PodCard>;
}

export interface MatchCount {
  readonly nodes: number;
  readonly pods: number;
}

export class Matches {
  private readonly kept = new KeptByNode((node, load) => this.ask(node, load));

  constructor(readonly query: Query) {}

  of(node: NodeCard, load: NodeLoad): NodeMatch {
    return this.kept.of(node, load);
  }

  isLit(node: NodeCard, load: NodeLoad): boolean {
    const match = this.of(node, load);
    return match.node || match.pods.size > 0;
  }

  private ask(node: NodeCard, load: NodeLoad): NodeMatch {
    const finds = (subject: Subject) => this.query.matches(subject);
    return {
      node: finds({ kind: "node", node }),
      pods: new Set(load.pods.filter((pod) => finds({ kind: "pod", pod, node, queue: undefined }))),
    };
  }

  /** Of the whole cluster, pods that are not on a node included. */
  count(state: ClusterState): MatchCount {
    let nodes = 0;
    let pods = this.countUnbound(state);
    for (const node of state.nodes.values()) {
      const match = this.of(node, state.loads.get(node.name) ?? NO_LOAD);
      nodes += Number(match.node);
      pods += match.pods.size;
    }
    return { nodes, pods };
  }

  private countUnbound({ unbound, queue }: ClusterState): number {
    let count = 0;
    for (const pod of unbound.values()) {
      const subject = { kind: "pod", pod, node: undefined, queue: queue.get(pod.uid)?.queue } as const;
      count += Number(this.query.matches(subject));
    }
    return count;
  }
}
