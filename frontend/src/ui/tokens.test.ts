/// <reference types="node" />
/** Every colour that carries text is readable (WCAG AA, 4.5:1) where it is used, in both themes. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

type Pair = readonly [light: string, dark: string];

const sheet = readFileSync(new URL("./tokens.css", import.meta.url), "utf8");
const colours = new Map<string, Pair>();
for (const [, name, light, dark] of sheet.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g)) {
  if (name && light && dark) colours.set(name, [light, dark]);
}
for (const [, name, other] of sheet.matchAll(/--([\w-]+): var\(--([\w-]+)\)/g)) {
  const pair = colours.get(other ?? "");
  if (name && pair) colours.set(name, pair);
}

function luminance(hex: string): number {
  const channel = (at: number) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
}

function contrast(text: string, ground: string, theme: 0 | 1): number {
  const [a, b] = [text, ground].map((name) => luminance(colours.get(name)?.[theme] ?? "")) as [number, number];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

const meanings = [...colours.keys()].filter((name) => name.startsWith("m-") && !name.endsWith("-soft"));

const USES: readonly (readonly [text: string, grounds: readonly string[]])[] = [
  ["text", ["bg", "panel", "raised", "sunken", "hover"]],
  ["muted", ["bg", "panel", "raised", "sunken", "hover"]],
  ["accent", ["panel", "raised", "accent-soft"]],
  ["danger", ["panel", "raised", "danger-soft"]],
  ["accent-text", ["accent"]],
  ...meanings.map((name) => [name, ["panel", "raised", "sunken", `${name}-soft`]] as const),
];

test("all eight meanings have a colour", () => {
  expect(meanings).toHaveLength(8);
});

describe.each([
  ["light", 0],
  ["dark", 1],
] as const)("in the %s theme", (_name, theme) => {
  test.each(USES)("%s is readable", (text, grounds) => {
    for (const ground of grounds) expect(contrast(text, ground, theme), `on ${ground}`).toBeGreaterThanOrEqual(4.5);
  });
});
