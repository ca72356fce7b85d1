/// <reference types="node" />
/** The layers of the page: what each folder may import from the others. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, test } from "vitest";

const ROOT = new URL(".", import.meta.url).pathname;

const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  model: [],
  transport: ["model"],
  interaction: ["model", "transport"],
  // Texts are the page's, components only show them.
  ui: ["transport/errors", "app/messages"],
};

function sources(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$|\/testing\.tsx?$/.test(name))
    .map((name) => join(folder, name));
}

function importsOf(file: string): string[] {
  const text = readFileSync(join(ROOT, file), "utf8");
  return [...text.matchAll(/from "(\.[^"]+)"/g)].map(([, path]) =>
    relative(ROOT, join(ROOT, dirname(file), path ?? "")),
  );
}

const isWithin = (path: string, place: string) => path === place || path.startsWith(`${place}/`);

test.each(Object.entries(ALLOWED))("%s imports itself and %j only", (folder, others) => {
  const strangers = sources(folder).flatMap((file) =>
    importsOf(file)
      .filter((path) => ![folder, ...others].some((place) => isWithin(path, place)))
      .map((path) => `${file} imports ${path}`),
  );
  expect(strangers).toEqual([]);
});

test("the model knows neither React nor the document", () => {
  const strangers = sources("model").filter((file) =>
    /from "react|\b(document|window)\./.test(readFileSync(join(ROOT, file), "utf8")),
  );
  expect(strangers).toEqual([]);
});
