import { describe, expect, it } from "vitest";
import { effectOf, parseImage, parseLabel, parseQuantity, parseTaint } from "./marks";

describe("a typed label", () => {
  it.each([
    ["disktype=ssd", { key: "disktype", value: "ssd" }],
    [" example.com/pool=blue ", { key: "example.com/pool", value: "blue" }],
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

it.each([
  ["app:1.0", { name: "app:1.0", size_bytes: 200 * 1024 ** 2 }],
  [
    "registry.example:5000/team/app@sha256:0a1b=1.5Gi",
    { name: "registry.example:5000/team/app@sha256:0a1b", size_bytes: 1610612736 },
  ],
])("image %s is read", (text, value) => {
  expect(parseImage(text)).toEqual({ value });
});

it.each([
  ["App:1", "image"],
  ["app=many", "quantity"],
])("image %j is refused", (text, problem) => {
  expect(parseImage(text)).toEqual({ problem });
});

it.each([
  ["disk=a=b", "value"],
  [`disk=${"x".repeat(64)}`, "value"],
  [`${"x".repeat(64)}=a`, "label"],
  ["Upper.example/x=a", "label"],
])("label %j is refused as the API server would", (text, problem) => {
  expect(parseLabel(text)).toEqual({ problem });
});

it.each(["2", "500m", "4Gi", "1e3", "1.5"])("amount %s is read", (text) => {
  expect(parseQuantity(text)).toEqual({ value: text });
});

it.each(["", "-1", "4 Gi", "lots", "1gi"])("amount %j is refused", (text) => {
  expect(parseQuantity(text)).toEqual({ problem: "quantity" });
});

it("says what a mark would do to a node", () => {
  const node = { taints: [], labels: { disk: "hdd" }, images: ["app:1"] };
  const disk = (value: string) => ({ kind: "label", label: { key: "disk", value } }) as const;
  expect(effectOf(disk("hdd"), node)).toEqual({ kind: "there" });
  expect(effectOf(disk("ssd"), node)).toEqual({ kind: "replaces", before: "disk=hdd" });
  expect(effectOf({ kind: "taint", taint: { key: "a", value: "", effect: "NoSchedule" } }, node)).toEqual({
    kind: "new",
  });
});
