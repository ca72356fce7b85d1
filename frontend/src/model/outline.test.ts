import { describe, expect, it } from "vitest";
import { fieldAt, fieldsAt, type Outline } from "./outline";
import { outlineField as field } from "./testing";

const OUTLINE: Outline = {
  api_version: "v1",
  kind: "Pod",
  root: "Pod",
  definitions: {
    Pod: { spec: field("object", { of: "Spec" }), labels: field("map", { of: "string", values: ["app"] }) },
    Spec: {
      containers: field("list", { of: "Container" }),
      modes: field("list", { of: "string", values: ["Once", "Many"] }),
      config: field("list", { of: "Config" }),
    },
    Container: { image: field("string", { required: true }) },
    Config: { name: field("string"), args: field("object", { of: "args.", by: "name" }) },
    "args.Fit": { weight: field("integer") },
  },
};

describe("what may stand at a path", () => {
  it.each([
    [["spec"], "object"],
    [["spec", "containers"], "list"],
    [["spec", "containers", 2], "object"],
    [["spec", "containers", 0, "image"], "string"],
    [["labels", "anything"], "string"],
    [["spec", "modes", 1], "string"],
  ] as const)("%j is %s", (path, type) => {
    expect(fieldAt(OUTLINE, path)?.type).toBe(type);
  });

  it.each([[["nothing"]], [["spec", 0]], [["labels", "a", "b"]], [["spec", "constructor"]]])(
    "%j is unknown",
    (path) => {
      expect(fieldAt(OUTLINE, path)).toBeUndefined();
    },
  );

  it("has the values of a list's items, and of a map's keys only at the map", () => {
    expect(fieldAt(OUTLINE, ["spec", "modes", 0])?.values).toEqual(["Once", "Many"]);
    expect(fieldAt(OUTLINE, ["labels", "app"])?.values).toEqual([]);
  });

  it("are the fields of an object", () => {
    expect(Object.keys(fieldsAt(OUTLINE, ["spec", "containers", 0]) ?? {})).toEqual(["image"]);
    expect(fieldsAt(OUTLINE, ["labels"])).toBeUndefined();
  });

  it("may depend on the value of the field beside it", () => {
    const names: Readonly<Record<string, string>> = { '["spec","config",0,"name"]': "Fit" };
    const path = ["spec", "config", 0, "args"] as const;
    expect(Object.keys(fieldsAt(OUTLINE, path, (at) => names[JSON.stringify(at)]) ?? {})).toEqual(["weight"]);
    expect(fieldAt(OUTLINE, [...path, "weight"], (at) => names[JSON.stringify(at)])?.type).toBe("integer");
    expect(fieldsAt(OUTLINE, path)).toBeUndefined();
  });
});
