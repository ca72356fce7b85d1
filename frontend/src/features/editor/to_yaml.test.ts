import { expect, it } from "vitest";
import { parse } from "yaml";
import { yamlOf } from "./to_yaml";

const POD = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "web", labels: {}, managedFields: [{ manager: "x" }] },
  spec: { containers: [{ name: "app", args: ["on", "1e3"], resources: { requests: { cpu: "500m", memory: "1" } } }] },
};

it("writes a manifest as kubectl does", () => {
  expect(yamlOf(POD)).toBe(`apiVersion: v1
kind: Pod
metadata:
  name: web
  labels: {}
spec:
  containers:
  - name: app
    args:
    - "on"
    - "1e3"
    resources:
      requests:
        cpu: 500m
        memory: "1"
`);
});

it("is read back as what it was, whatever the strings look like", () => {
  const strings = ["true", "no", "0x1F", "", "a: b", "- x", "two\nlines", "2026-01-01", "null", "~", "#", " lead"];
  expect(parse(yamlOf({ strings }))).toEqual({ strings });
});
