/**
 * Writes the TypeScript types of everything the server says, from the JSON schemas it exports.
 *
 * Two inputs, one small translator: `schema/messages.json` ($defs of the WebSocket frames and the
 * decision report) and `schema/openapi.json` (components of the REST API). The subset of JSON
 * schema that both use is small, so it is translated here; anything outside of it stops the run
 * instead of becoming a loose type.
 *
 * Over the WebSocket a field that has a default is always sent, so it is not optional; OpenAPI says
 * `required` of every field that is.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";

const HEADER = "// Written by `npm run schema` from the server's JSON schema. Do not edit.\n";
const here = (path) => new URL(`../${path}`, import.meta.url);

function typeOf(schema, where) {
  if (schema.$ref) return schema.$ref.split("/").at(-1);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  const union = schema.anyOf ?? schema.oneOf;
  if (union) return union.map((one) => typeOf(one, where)).join(" | ");
  if (schema.allOf?.length === 1) return withNull(typeOf(schema.allOf[0], where), schema);
  if (Array.isArray(schema.type)) return schema.type.map((type) => typeOf({ ...schema, type }, where)).join(" | ");
  return withNull(plain(schema, where), schema);
}

const withNull = (type, schema) => (schema.nullable ? `${type} | null` : type);

function plain(schema, where) {
  switch (schema.type) {
    case "string":
    case "boolean":
    case "null":
      return schema.type;
    case "integer":
    case "number":
      return "number";
    case "array":
      return `readonly ${bracketed(typeOf(schema.items ?? {}, where))}[]`;
    case "object":
      return schema.properties ? body(schema, where) : `Readonly<Record<string, ${typeOfValues(schema, where)}>>`;
    case undefined:
      return "unknown";
    default:
      throw new Error(`${where}: no translation for ${JSON.stringify(schema)}`);
  }
}

const bracketed = (type) => (/[ |]/.test(type) ? `(${type})` : type);

function typeOfValues(schema, where) {
  const values = schema.additionalProperties;
  return values && typeof values === "object" ? typeOf(values, where) : "unknown";
}

function body(schema, where) {
  const required = new Set(schema.required ?? []);
  const lines = Object.entries(schema.properties).map(([name, value]) => {
    const sent = required.has(name) || (defaultsAreSent && ("default" in value || isTag(value)));
    return `  readonly ${name}${sent ? "" : "?"}: ${typeOf(value, `${where}.${name}`)};`;
  });
  return `{\n${lines.join("\n")}\n}`;
}

/** The tag of a union's member: an enum of one. */
const isTag = (schema) => schema.enum?.length === 1;

function declaration(name, schema) {
  const comment =
    schema.description && !schema.description.startsWith("*")
      ? `/** ${schema.description.trim().split("\n")[0]} */\n`
      : "";
  const isObject = schema.type === "object" && schema.properties;
  return isObject
    ? `${comment}export interface ${name} ${body(schema, name)}\n`
    : `${comment}export type ${name} = ${typeOf(schema, name)};\n`;
}

let defaultsAreSent = false;

function write(source, target, pick, options) {
  defaultsAreSent = options.defaultsAreSent;
  if (!existsSync(here(source))) {
    console.log(`${source} is not there yet: skipped`);
    return;
  }
  const definitions = pick(JSON.parse(readFileSync(here(source), "utf8")));
  const names = Object.keys(definitions).sort();
  writeFileSync(here(target), HEADER + names.map((name) => `\n${declaration(name, definitions[name])}`).join(""));
  console.log(`${target}: ${names.length} types`);
}

write("schema/messages.json", "src/model/messages.generated.ts", (schema) => schema.$defs, { defaultsAreSent: true });
write("schema/openapi.json", "src/transport/openapi.generated.ts", (schema) => schema.components.schemas, {
  defaultsAreSent: false,
});
