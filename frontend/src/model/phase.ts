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
  const hash = pod.labels["pod-template-hash"];
  const at = hash ? pod.name.lastIndexOf(`-${hash}-`) : -1;
  return at < 0 ? pod.name : `${pod.name.slice(0, at)}…`;
}
