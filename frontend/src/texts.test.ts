/// <reference types="node" />
/** Every text that people read stands in a catalogue; components only place it. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "vite";
import { expect, test } from "vitest";

const ROOT = new URL(".", import.meta.url).pathname;
const SPOKEN = new Set(["alt", "aria-description", "aria-label", "aria-roledescription", "data-tip"]);
// Of our own components as well.
const SPOKEN_PROPS = new Set([...SPOKEN, "hint", "label", "placeholder", "text", "title"]);
/** The same in every language: names, words that Kubernetes writes so, and examples of what it reads. */
const OF_NO_LANGUAGE =
  /^(UTC|HTTP|JSON|CSV|YAML|CEL|kubectl|taint|label|(Pre|Post)?(Filter|Score|Bind)|Reserve|Permit|[\w./-]+=\S+|kind: .*)$/s;

type Node = Readonly<Record<string, unknown>> & { readonly type: string };

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && "type" in value;

function isText(value: unknown): boolean {
  return typeof value === "string" && /\p{L}{2}/u.test(value) && !OF_NO_LANGUAGE.test(value.trim());
}

/** The texts that an expression may come to: "a", `a ${b}`, x ? "a" : "b", x && "a". */
function textsOf(expression: unknown): string[] {
  if (!isNode(expression)) return [];
  switch (expression.type) {
    case "Literal":
    case "JSXText":
      return isText(expression.value) ? [String(expression.value).trim()] : [];
    case "TemplateLiteral":
      return (expression.quasis as { value: { cooked: string } }[]).map(({ value }) => value.cooked).filter(isText);
    case "ConditionalExpression":
      return [...textsOf(expression.consequent), ...textsOf(expression.alternate)];
    case "LogicalExpression":
      return [...textsOf(expression.left), ...textsOf(expression.right)];
    case "JSXExpressionContainer":
      return textsOf(expression.expression);
    default:
      return [];
  }
}

function textsIn(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(textsIn);
  if (!isNode(node)) return [];
  return [...textsAt(node), ...Object.values(node).flatMap(textsIn)];
}

function textsAt(node: Node): string[] {
  if (node.type === "JSXElement" || node.type === "JSXFragment") return (node.children as Node[]).flatMap(textsOf);
  if (node.type !== "JSXAttribute" || !isNode(node.name)) return [];
  return SPOKEN_PROPS.has(String(node.name.name)) ? textsOf(node.value) : [];
}

const components = readdirSync(ROOT, { recursive: true, encoding: "utf8" }).filter(
  (name) => name.endsWith(".tsx") && !/test(ing)?\.tsx$/.test(name),
);

const textsOfFile = (name: string, source: string) => textsIn(parseSync(name, source).program);

test("what is looked for is found", () => {
  const source = 'const a = <p title="Hi there">Hello {x ? "you" : t.all} {y && `the`} <b className="bold" /></p>;';
  expect(textsOfFile("a.tsx", source)).toEqual(["Hello", "you", "the", "Hi there"]);
});

test.each(components)("%s has no text of its own", (name) => {
  expect(textsOfFile(name, readFileSync(join(ROOT, name), "utf8"))).toEqual([]);
});

test("only the door to the catalogues reads one", () => {
  const readers = readdirSync(ROOT, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.tsx?$/.test(name) && !name.startsWith("app/") && !name.endsWith(".test.ts"))
    .filter((name) => /from "[./a-z]*messages(\.\w+)*\.\w\w"/.test(readFileSync(join(ROOT, name), "utf8")));
  expect(readers).toEqual([]);
});
