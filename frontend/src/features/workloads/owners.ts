/** Workloads that nobody owns, each with how many workloads it owns. */
import type { WorkloadCard } from "../../model/messages.generated";

export interface TopWorkload {
  readonly workload: WorkloadCard;
  readonly owned: number;
}

export function topWorkloads(workloads: readonly WorkloadCard[]): readonly TopWorkload[] {
  const present = new Set(workloads.map(({ uid }) => uid));
  const owned = new Map<string, number>();
  for (const { owner } of workloads) {
    if (owner) owned.set(owner.uid, (owned.get(owner.uid) ?? 0) + 1);
  }
  return workloads
    .filter(({ owner }) => !owner || !present.has(owner.uid))
    .map((workload) => ({ workload, owned: owned.get(workload.uid) ?? 0 }));
}
