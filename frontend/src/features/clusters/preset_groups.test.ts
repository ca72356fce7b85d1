import { expect, it } from "vitest";
import type { Preset } from "../../transport/api_types";
import { groupsOf } from "./preset_groups";

const preset = (id: string, group: string): Preset => ({
  id,
  group,
  title: id,
  description: "",
  watch: "",
  nodes: 1,
  pods: 0,
});

it("presets stand below their headings, both in the server's order", () => {
  const groups = groupsOf([preset("b", "Labs"), preset("a", "Labs"), preset("c", "Shapes")]);
  expect(groups.map(({ title, presets }) => [title, presets.map(({ id }) => id)])).toEqual([
    ["Labs", ["b", "a"]],
    ["Shapes", ["c"]],
  ]);
});
