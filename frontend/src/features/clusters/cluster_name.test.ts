import { describe, expect, it } from "vitest";
import { freeName, isKindFile, nameInKindFile, nameOf } from "./cluster_name";

describe("a new cluster's name", () => {
  it("is the wanted one while it is free", () => {
    expect(freeName("kind", new Set(["other"]))).toBe("kind");
  });

  it("gets the first free number when it is taken", () => {
    expect(freeName("kind", new Set(["kind", "kind-2"]))).toBe("kind-3");
  });

  it.each([
    ["My Cluster.yaml", "my-cluster"],
    ["--x--.yml", "x"],
    ["日本.yaml", "cluster"],
    [`${"a".repeat(39)} b.yaml`, "a".repeat(39)],
  ])("made from %s is %s", (file, name) => {
    expect(nameOf(file)).toBe(name);
  });
});

describe("a kind file", () => {
  const file = "kind: Cluster\napiVersion: kind.x-k8s.io/v1alpha4\nname: demo # mine\nnodes: []\n";

  it("is known by its kind and its API group", () => {
    expect(isKindFile(file)).toBe(true);
    expect(isKindFile("kind: Cluster\nnodes:\n- role: worker\n")).toBe(true);
    expect(isKindFile("kind: Pod\napiVersion: v1\n")).toBe(false);
    expect(isKindFile("kind: Cluster\napiVersion: cluster.x-k8s.io/v1beta1\n")).toBe(false);
  });

  it("may name its cluster", () => {
    expect(nameInKindFile(file)).toBe("demo");
    expect(nameInKindFile("kind: Cluster\n")).toBeUndefined();
  });
});
