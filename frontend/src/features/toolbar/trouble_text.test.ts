import { expect, test } from "vitest";
import { isWorthABanner, troubleText } from "./trouble_text";

const reconnecting = { kind: "reconnecting", since: 0, attempt: 1 } as const;

test("what is wrong and what to do is said for each trouble", () => {
  const texts = (["network", "silent", 502] as const).map((why) => troubleText({ ...reconnecting, why }, true));
  expect(texts[0]).toContain("network");
  expect(texts[1]).toContain("./dev up");
  expect(texts[2]).toContain("502");
  expect(new Set(texts).size).toBe(3);
});

test("the first connection is no trouble, a later one is", () => {
  expect(isWorthABanner({ kind: "connecting" }, false)).toBe(false);
  expect(isWorthABanner({ kind: "connecting" }, true)).toBe(true);
  expect(isWorthABanner({ kind: "live" }, true)).toBe(false);
  expect(isWorthABanner({ ...reconnecting, why: "silent" }, false)).toBe(true);
});

test("before a cluster was read nothing is said to be shown as it was", () => {
  expect(troubleText({ ...reconnecting, why: "silent" }, true)).toContain("as it was");
  expect(troubleText({ ...reconnecting, why: "silent" }, false)).not.toContain("as it was");
});
