import { expect, it } from "vitest";
import type { WorkloadCard } from "../../model/messages.generated";
import { topWorkloads } from "./owners";

const workload = (uid: string, owner?: string): WorkloadCard => ({
  kind: "Workload",
  workload_kind: owner ? "ReplicaSet" : "Deployment",
  uid,
  namespace: "default",
  name: uid,
  resource_version: 1,
  created_at: "2026-01-01T00:00:00Z",
  replicas: 1,
  ready_replicas: 0,
  owner: owner ? { kind: "Deployment", name: owner, uid: owner } : null,
});

it("lists what nobody owns and counts what it owns", () => {
  const top = topWorkloads([workload("web"), workload("web-1", "web"), workload("web-2", "web"), workload("db")]);
  expect(top.map(({ workload, owned }) => [workload.uid, owned])).toEqual([
    ["web", 2],
    ["db", 0],
  ]);
});

it("lists a workload whose owner is gone", () => {
  expect(topWorkloads([workload("web-1", "web")]).map(({ workload }) => workload.uid)).toEqual(["web-1"]);
});
