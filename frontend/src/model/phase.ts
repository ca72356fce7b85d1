/** What a pod is doing, in one word that has one colour and one icon. */
import type { PodCard } from "./messages.generated";

export type PodPhase = "gated" | "pending" | "starting" | "running" | "succeeded" | "failed" | "terminating";

export function phaseOf(pod: PodCard): PodPhase {
  if (pod.deletion_timestamp) return "terminating";
  switch (pod.phase) {
    case "Running":
      return "running";
    case "Succeeded":
      return "succeeded";
    case "Failed":
      return "failed";
    default:
      if (pod.node_name) return "starting";
      return pod.scheduling_gates.length > 0 ? "gated" : "pending";
  }
}

/** What kubectl shows in its STATUS column. */
export function statusText(pod: PodCard): string {
  if (pod.deletion_timestamp) return "Terminating";
  return pod.reason || pod.phase;
}

/** A pod's name for a narrow place: of a pod of a ReplicaSet, what it shares with its siblings' names. */
export function shortName(pod: Pick<PodCard, "name" | "labels">): string {
  const at = hashAt(pod);
  return at < 0 ? pod.name : `${pod.name.slice(0, at)}…`;
}

/** What tells it from its siblings, where there is room for that too; nothing when the short name is all of it. */
export function ownEnding(pod: Pick<PodCard, "name" | "labels">): string {
  return hashAt(pod) < 0 ? "" : pod.name.slice(pod.name.lastIndexOf("-") + 1);
}

function hashAt({ name, labels }: Pick<PodCard, "name" | "labels">): number {
  const hash = labels["pod-template-hash"];
  return hash ? name.lastIndexOf(`-${hash}-`) : -1;
}
