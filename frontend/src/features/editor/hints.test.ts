import { expect, it } from "vitest";
import type { Outline, OutlineField } from "../../model/outline";
import { hintsOf } from "./hints";
import type { YamlHelp } from "./yaml_help";

const field = (type: string, of = "", by = ""): OutlineField => ({
  type,
  of,
  by,
  required: false,
  doc: "",
  values: [],
});

const OUTLINE: Outline = {
  api_version: "v1",
  kind: "Pod",
  root: "Pod",
  definitions: {
    Pod: { kind: field("string"), spec: field("object", "Spec"), labels: field("map", "string"), free: field("any") },
    Spec: { containers: field("list", "Container"), config: field("list", "Config") },
    Container: { image: field("string") },
    Config: { name: field("string"), args: field("object", "args.", "name") },
    "args.Fit": { weight: field("integer") },
  },
};

const HELP: YamlHelp = { outlineOf: async (kind) => (kind === "Pod" ? OUTLINE : undefined), kinds: async () => [] };

const hints = (text: string) => hintsOf(text, HELP, (name) => `unknown ${name}`);

it("a text that is no YAML is told its line", async () => {
  const [first] = await hints("kind: Pod\nspec: [\n");
  expect(first?.line).toBeGreaterThan(1);
  expect(first?.isWarning).toBeUndefined();
});

it("an unknown field is told at its name, in whichever document", async () => {
  const found = await hints("kind: Pod\n---\nkind: Pod\nspec:\n  containers:\n  - immage: nginx\n");
  expect(found).toEqual([{ line: 6, column: 5, message: "unknown immage", isWarning: true }]);
});

it("arguments are those of the plugin that is named beside them; of an unknown one any may be", async () => {
  const text = (name: string) => `kind: Pod\nspec:\n  config:\n  - name: ${name}\n    args:\n      wait: 1\n`;
  expect(await hints(text("Fit"))).toHaveLength(1);
  expect(await hints(text("Mine"))).toEqual([]);
});

it("maps, values that may be anything, and kinds without an outline are left alone", async () => {
  expect(await hints("kind: Pod\nlabels: {a: b}\nfree: {x: {y: 1}}\n")).toEqual([]);
  expect(await hints("kind: Strange\nwhat: 1\n")).toEqual([]);
});
