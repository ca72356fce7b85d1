import { describe, expect, test } from "vitest";
import type { Manifest } from "../transport/api_types";
import { freshPod, pinned, pinnedCopy } from "./fresh_manifest";

const pod = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: {
    name: "web-abc",
    namespace: "shop",
    uid: "u1",
    resourceVersion: "7",
    labels: { app: "web", "pod-template-hash": "abc" },
    ownerReferences: [{ kind: "ReplicaSet", name: "web", controller: true }],
  },
  spec: { nodeName: "n1", priority: 5, containers: [] },
  status: { phase: "Running" },
} as Manifest;

const only = (node: string) => ({ key: "metadata.name", operator: "In", values: [node] });
interface Affine {
  readonly affinity: { readonly nodeAffinity: { readonly requiredDuringSchedulingIgnoredDuringExecution: unknown } };
}
const terms = ({ spec }: Manifest) =>
  (spec as unknown as Affine).affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution;

describe("a pod made again", () => {
  test("has nothing that the server gave it, no owner and no node", () => {
    expect(freshPod(pod)).toEqual({
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "web-abc", namespace: "shop", labels: pod.metadata.labels },
      spec: { containers: [] },
    });
  });

  test("is where it was, if that is wanted", () => {
    expect(freshPod(pod, "n1").spec).toMatchObject({ nodeName: "n1" });
  });
});

describe("a pinned copy", () => {
  test("is named by the server and not taken over by the pod's controller", () => {
    const { metadata } = pinnedCopy(pod, "n2");
    expect(metadata).toEqual({ namespace: "shop", labels: { app: "web" }, generateName: "web-abc-" });
  });

  test("may only run on that node", () => {
    expect(terms(pinnedCopy(pod, "n2"))).toEqual({ nodeSelectorTerms: [{ matchFields: [only("n2")] }] });
  });

  test("keeps what its terms ask for, and forgets an earlier node", () => {
    const disk = [{ key: "disk", operator: "Exists" }];
    const before = pinned({ ...pod, spec: {} }, "n1");
    const own = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: disk }] } };
    expect(terms(pinned(before, "n2"))).toEqual({ nodeSelectorTerms: [{ matchFields: [only("n2")] }] });
    expect(terms(pinned({ ...pod, spec: { affinity: { nodeAffinity: own } } }, "n2"))).toEqual({
      nodeSelectorTerms: [{ matchExpressions: disk, matchFields: [only("n2")] }],
    });
  });
});
