/// <reference types="node" />
/** Nothing is kept that nobody uses: texts, classes of style sheets, tokens, exports. */
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { t } from "./app/messages.en";

const ROOT = new URL(".", import.meta.url).pathname;

const files: ReadonlyMap<string, string> = new Map(
  readdirSync(ROOT, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.(tsx?|css)$/.test(name))
    .map((name) => [name, readFileSync(join(ROOT, name), "utf8")]),
);
const named = (pattern: RegExp) => [...files].filter(([name]) => pattern.test(name));

/** What runs on the page; a test alone keeps nothing alive. */
const code = named(/\.tsx?$/).filter(([name]) => !/(\.test|\.generated|testing)\.tsx?$/.test(name));
const sheets = named(/\.css$/);

/** Every path of an object that ends in a text. */
function leavesOf(value: object, path: readonly string[] = []): string[] {
  return Object.entries(value).flatMap(([key, part]) =>
    typeof part === "object" && part !== null ? leavesOf(part, [...path, key]) : [[...path, key].join(".")],
  );
}

/** `t.board.title` reads that text, `t.phase[phase]` and `const words = t.phase` all of `phase`. */
function textsRead(): Set<string> {
  const readers = code.filter(([name]) => !/messages\.(\w+\.)?\w\w\.ts$/.test(name));
  return new Set(
    readers.flatMap(([, text]) => [...text.matchAll(/\bt\.(\w+(?:\.\w+)*)/g)].map(([, path]) => path ?? "")),
  );
}

function isRead(leaf: string, read: ReadonlySet<string>): boolean {
  const path = leaf.split(".");
  return path.some((_, depth) => read.has(path.slice(0, depth + 1).join(".")));
}

const withoutComments = (css: string) => css.replace(/\/\*[\s\S]*?\*\//g, "");

function classesOf(css: string): Set<string> {
  const selectors = withoutComments(css).matchAll(/([^{};]+)\{/g);
  const own = [...selectors].map(([, selector]) => (selector ?? "").replace(/:global\([^)]*\)/g, ""));
  return new Set(own.flatMap((selector) => [...selector.matchAll(/\.([a-zA-Z_]\w*)/g)].map(([, name]) => name ?? "")));
}

/** The modules that import a style sheet, with the name they give it. */
function wearers(sheet: string): { file: string; text: string; as: string }[] {
  const importing = new RegExp(`import (\\w+) from "[^"]*/${basename(sheet).replaceAll(".", "\\.")}"`);
  return code.flatMap(([file, text]) => {
    const as = importing.exec(text)?.[1];
    return as ? [{ file, text, as }] : [];
  });
}

const modules = sheets.filter(([name]) => name.endsWith(".module.css"));

test("every text of the catalogue is shown somewhere", () => {
  const read = textsRead();
  expect(leavesOf(t).filter((leaf) => !isRead(leaf, read))).toEqual([]);
});

test.each(modules)("%s has no class that nobody wears", (sheet, css) => {
  const worn = wearers(sheet).map(({ text }) => text);
  const idle = [...classesOf(css)].filter((name) => !worn.some((text) => new RegExp(`\\b${name}\\b`).test(text)));
  expect(idle).toEqual([]);
});

test.each(modules)("%s has every class that is asked of it", (sheet, css) => {
  const classes = classesOf(css);
  const lacking = wearers(sheet).flatMap(({ file, text, as }) =>
    [...text.matchAll(new RegExp(`\\b${as}\\.(\\w+)`, "g"))]
      .filter(([, name]) => name && !classes.has(name))
      .map(([asked]) => `${file}: ${asked}`),
  );
  expect(lacking).toEqual([]);
});

test("every token is used, and every one that is used is set", () => {
  const texts = [...sheets.map(([, text]) => withoutComments(text)), ...code.map(([, text]) => text)].join("\n");
  const names = (pattern: RegExp) => new Set([...texts.matchAll(pattern)].map(([, name]) => name ?? ""));
  const set = names(/(?:[{;\s]|")(--[a-z][\w-]*)"?:\s/g);
  const used = names(/(?:var|token)\("?(--[a-z][\w-]*)/g);
  expect({
    idle: [...set].filter((name) => !used.has(name)),
    unknown: [...used].filter((name) => !set.has(name)),
  }).toEqual({
    idle: [],
    unknown: [],
  });
});

test("every export is used by the page itself", () => {
  const words = new Map<string, number>();
  for (const [, text] of code) for (const [word] of text.matchAll(/\w+/g)) words.set(word, (words.get(word) ?? 0) + 1);
  const exported = /^export (?:async )?(?:const|let|function\*?|class|type|interface) (\w+)/gm;
  const idle = code.flatMap(([file, text]) =>
    [...text.matchAll(exported)].flatMap(([, name]) => (name && words.get(name) === 1 ? [`${file}: ${name}`] : [])),
  );
  expect(idle).toEqual([]);
});
