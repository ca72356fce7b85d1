import { describe, expect, it } from "vitest";
import { parseLabel, parseTaint } from "./node_edits";

describe("a typed label", () => {
  it.each([
    ["disktype=ssd", { key: "disktype", value: "ssd" }],
    [" example.com/pool=a=b ", { key: "example.com/pool", value: "a=b" }],
    ["gpu", { key: "gpu", value: "" }],
  ])("%s is read", (text, value) => {
    expect(parseLabel(text)).toEqual({ value });
  });

  it.each(["", "=x", "a b=c", "-x=1"])("%j is refused", (text) => {
    expect(parseLabel(text)).toEqual({ problem: "label" });
  });
});

describe("a typed taint", () => {
  it.each([
    ["dedicated=gpu:NoSchedule", { key: "dedicated", value: "gpu", effect: "NoSchedule" }],
    ["maintenance:NoExecute", { key: "maintenance", value: "", effect: "NoExecute" }],
  ])("%s is read", (text, value) => {
    expect(parseTaint(text)).toEqual({ value });
  });

  it("needs an effect that exists", () => {
    expect(parseTaint("a=b:Sometimes")).toEqual({ problem: "effect" });
    expect(parseTaint("a=b")).toEqual({ problem: "taint" });
  });
});
