import { expect, it } from "vitest";
import { searchInWords } from "./search_in_words";

it("says nothing when every node was looked at", () => {
  expect(searchInWords(4, 4)).toBe("");
});

it("calls a search that stopped early one of a large cluster", () => {
  expect(searchInWords(143, 1000)).toContain("143 nodes of 1,000 were looked at: in a large cluster");
});

it("does not call a few nodes a large cluster: the others did not matter for another reason", () => {
  expect(searchInWords(1, 3)).toContain("Only 1 node of 3 had to be looked at");
});
