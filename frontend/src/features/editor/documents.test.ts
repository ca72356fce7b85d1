import { describe, expect, it } from "vitest";
import { readStream, stepsOf } from "./documents";

const STREAM = `# a comment alone is no document
---
apiVersion: v1
kind: Pod
metadata:
  name: one
spec:
  containers:
  - name: app
    image: nginx
  - {name: side, image: 5}
---
apiVersion: v1
kind: Node
metadata:
  labels:
    topology.kubernetes.io/zone: a
  name: two
`;

const at = (document: number, path: string): string | undefined =>
  STREAM.split("\n")[readStream(STREAM).lineOf(document, path) - 1]?.trim();

it("counts documents as the server does: comments alone are none", () => {
  expect(readStream(STREAM).length).toBe(2);
  expect(readStream("").length).toBe(0);
});

it("reads a path in steps", () => {
  expect(stepsOf("spec.containers[1].env[0].name")).toEqual(["spec", "containers", 1, "env", 0, "name"]);
  expect(stepsOf('metadata.labels["a.b/c"]')).toEqual(["metadata", "labels", "a.b/c"]);
});

describe("the line of a path", () => {
  it.each([
    [1, "kind", "kind: Pod"],
    [1, "metadata.name", "name: one"],
    [1, "spec.containers", "containers:"],
    [1, "spec.containers[0].name", "- name: app"],
    [1, "spec.containers[1].image", "- {name: side, image: 5}"],
    [2, 'metadata.labels["topology.kubernetes.io/zone"]', "topology.kubernetes.io/zone: a"],
    [2, "metadata.name", "name: two"],
  ])("in document %i, %s is %s", (document, path, line) => {
    expect(at(document, path)).toBe(line);
  });

  it("is the deepest one there is when the path leads further than the text", () => {
    expect(at(1, "spec.containers[0].resources.requests.cpu")).toBe("- name: app");
    expect(at(1, "spec.nodeName")).toBe("spec:");
    expect(at(1, "")).toBe("apiVersion: v1");
  });

  it("is found in a text that is broken further down, and is the first line where nothing is", () => {
    expect(readStream("kind: Pod\nmetadata:\n  name: [\n").lineOf(1, "metadata")).toBe(2);
    expect(readStream("kind: Pod").lineOf(7, "metadata")).toBe(1);
  });
});
