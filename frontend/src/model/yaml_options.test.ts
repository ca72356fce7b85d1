import { describe, expect, it } from "vitest";
import type { Outline } from "./outline";
import { outlineField as field } from "./testing";
import { optionsAt } from "./yaml_options";
import { placeAt } from "./yaml_place";

const OUTLINE: Outline = {
  api_version: "v1",
  kind: "Pod",
  root: "Pod",
  definitions: {
    Pod: { kind: field("string"), spec: field("object", { of: "a.b.Spec" }) },
    "a.b.Spec": {
      containers: field("list", { of: "a.b.Container", required: true, doc: "What runs" }),
      hostNetwork: field("boolean"),
      nodeSelector: field("map", { of: "string", values: ["zone", "disk"] }),
      policy: field("string", { values: ["Always", "Never"] }),
      modes: field("list", { of: "string", values: ["Once", "*"] }),
    },
    "a.b.Container": { image: field("string") },
  },
};

function offered(marked: string) {
  const place = placeAt(marked.replace("|", ""), marked.indexOf("|"));
  return place ? optionsAt(OUTLINE, place) : [];
}

const labels = (marked: string) => offered(marked).map(({ label }) => label);

describe("offered are", () => {
  it("the fields that are not there yet, what is required first", () => {
    expect(labels("spec:\n  policy: Never\n  |")).toEqual(["containers", "hostNetwork", "modes", "nodeSelector"]);
  });

  it("the words of a field, and of an item of a list", () => {
    expect(labels("spec:\n  policy: |")).toEqual(["Always", "Never"]);
    expect(labels("spec:\n  hostNetwork: |")).toEqual(["true", "false"]);
    expect(offered("spec:\n  modes:\n  - |").map(({ insert }) => insert)).toEqual(["Once", '"*"']);
  });

  it("the keys of a map that people mostly use", () => {
    expect(labels("spec:\n  nodeSelector:\n    zone: a\n    |")).toEqual(["disk"]);
  });

  it("nothing where anything may stand", () => {
    expect(labels("spec:\n  what:\n    |")).toEqual([]);
    expect(labels("spec:\n  nodeSelector:\n    zone: |")).toEqual([]);
  });
});

it("a field is written with what has to follow it", () => {
  const texts = Object.fromEntries(offered("spec:\n  |").map(({ label, insert, type }) => [label, [insert, type]]));
  expect(texts).toEqual({
    containers: ["containers:\n  - ", "[]Container"],
    hostNetwork: ["hostNetwork: ", "boolean"],
    modes: ["modes:\n  - ", "[]string"],
    nodeSelector: ["nodeSelector:\n    ", "map[string]string"],
    policy: ["policy: ", "string"],
  });
});
