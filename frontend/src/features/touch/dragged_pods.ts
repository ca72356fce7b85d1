/** Pods as a hand holds them: where they are, and who makes another when they go. */
import type { DraggedPod } from "../../interaction/drag";
import type { PodCard } from "../../model/messages.generated";
import type { ClusterState } from "../../model/state";

export function draggedPod({ namespace, name, uid, node_name, owner }: PodCard): DraggedPod {
  return { namespace, name, uid, node: node_name, owner: owner ? `${owner.kind} ${owner.name}` : "" };
}

/** Those of the uids that are still there. */
export function draggedPods(state: ClusterState | undefined, uids: Iterable<string>): readonly DraggedPod[] {
  return [...uids].flatMap((uid) => {
    const pod = state?.pods.get(uid);
    return pod ? [draggedPod(pod)] : [];
  });
}
