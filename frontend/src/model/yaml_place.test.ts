import { describe, expect, it } from "vitest";
import { fieldNamedAt, placeAt } from "./yaml_place";

/** The place of the | in a text. */
const at = (marked: string) => placeAt(marked.replace("|", ""), marked.indexOf("|"));

describe("the place of a cursor", () => {
  it.each([
    ["|", "key", []],
    ["kind: Pod\n|", "key", []],
    ["kind: |", "value", ["kind"]],
    ["spec:\n  |", "key", ["spec"]],
    ["spec:\n  cont|", "key", ["spec"]],
    ["spec:\n  containers:\n  - |", "key", ["spec", "containers", 0]],
    ["spec:\n  containers:\n  - name: a\n    |", "key", ["spec", "containers", 0]],
    ["spec:\n  containers:\n  - name: a\n  - name: b\n    ima|", "key", ["spec", "containers", 1]],
    ["spec:\n  containers:\n    - name: a\n    - name: b\n      ima|", "key", ["spec", "containers", 1]],
    ["spec:\n  containers:\n  - name: a\n  |", "key", ["spec"]],
    ["spec:\n  containers:\n  - name: a\nsta|", "key", []],
    ["spec:\n  tolerations:\n  - key: a\n    operator: |", "value", ["spec", "tolerations", 0, "operator"]],
    ["spec:\n  - - a: 1\n    - b|", "key", ["spec", 0, 1]],
    ["a:\n  x: 1\nb:\n  |", "key", ["b"]],
    ['labels:\n  "a.b/c": |', "value", ["labels", "a.b/c"]],
    ["kind: Pod\n---\nkind: Node\nspec:\n  |", "key", ["spec"]],
    ["# a note: here\nspec:\n\n  |\n", "key", ["spec"]],
  ] as const)("in %j is a %s at %j", (text, kind, path) => {
    expect(at(text)).toMatchObject({ at: kind, path });
  });

  it.each([
    ["inside of flow style", "a: {b: ¦}"],
    ["in a block scalar", "script: |-\n  echo: ¦"],
    ["in a comment", "# no¦"],
    ["behind a value", "a: 1 # no¦"],
  ])("is none %s", (_, text) => {
    expect(placeAt(text.replace("¦", ""), text.indexOf("¦"))).toBeUndefined();
  });

  it("knows what is typed and where that begins", () => {
    expect(at("spec:\n  node|")).toMatchObject({ typed: "node", from: 8, indent: 2 });
    expect(at("spec:\n  - name: ab|")).toMatchObject({ typed: "ab", from: 16, indent: 4 });
  });

  it("knows the fields beside it, above and below", () => {
    const place = at("spec:\n  a: 1\n  |\n  c: 2\nd: 3\n");
    expect([...(place?.siblings ?? [])]).toEqual(["a", "c"]);
  });

  it("tells single values elsewhere in the document", () => {
    const place = at('kind: "Pod" # mine\npluginConfig:\n- name: NodeAffinity\n  args:\n    |');
    expect(place?.path).toEqual(["pluginConfig", 0, "args"]);
    expect(place?.scalarAt(["kind"])).toBe("Pod");
    expect(place?.scalarAt(["pluginConfig", 0, "name"])).toBe("NodeAffinity");
  });
});

describe("a field's name under the pointer", () => {
  const text = "spec:\n  containers:\n  - name: a\n";
  it("is told with its path", () => {
    expect(fieldNamedAt(text, text.indexOf("containers") + 3)?.path).toEqual(["spec", "containers"]);
    expect(fieldNamedAt(text, text.indexOf("name") + 1)?.path).toEqual(["spec", "containers", 0, "name"]);
  });

  it("is none in a value or in an empty line", () => {
    expect(fieldNamedAt(text, text.indexOf(" a\n") + 1)).toBeUndefined();
    expect(fieldNamedAt(text, text.length)).toBeUndefined();
  });
});
