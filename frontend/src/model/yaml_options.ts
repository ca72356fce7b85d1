/** What an editor may offer at a place of a YAML text, from the outline of what is being written. */
import { type Fields, fieldAt, fieldsAt, type Outline, type OutlineField } from "./outline";
import type { YamlPlace } from "./yaml_place";

export interface YamlOption {
  readonly label: string;
  /** What is written instead of what was typed. */
  readonly insert: string;
  /** The type of its value; "" for a value. */
  readonly type: string;
  readonly doc: string;
  readonly required: boolean;
}

/** At a key: the fields that are not there yet. At a value: the words it is known to take. */
export function optionsAt(outline: Outline, place: YamlPlace): readonly YamlOption[] {
  if (place.at === "value") return values(fieldAt(outline, place.path, place.scalarAt));
  const fields = fieldsAt(outline, place.path, place.scalarAt);
  if (fields) return keys(fields, place);
  const at = fieldAt(outline, place.path, place.scalarAt);
  // An item of a list of words; or keys that people mostly use in a map.
  return at?.type === "map" ? known(at, place) : values(at);
}

function keys(fields: Fields, { siblings, indent }: YamlPlace): readonly YamlOption[] {
  return Object.entries(fields)
    .filter(([name]) => !siblings.has(name) && name !== "managedFields")
    .map(([name, field]) => ({
      label: name,
      insert: keyText(name, field, indent),
      type: typeText(field),
      doc: field.doc,
      required: field.required,
    }))
    .sort((one, other) => Number(other.required) - Number(one.required) || one.label.localeCompare(other.label));
}

/** With what has to follow it: an object begins on the next line, a list with its first item. */
function keyText(name: string, { type }: OutlineField, indent: number): string {
  if (type === "object" || type === "map") return `${name}:\n${" ".repeat(indent + 2)}`;
  if (type === "list") return `${name}:\n${" ".repeat(indent)}- `;
  return `${name}: `;
}

function values(field: OutlineField | undefined): readonly YamlOption[] {
  const words = field?.type === "boolean" ? ["true", "false"] : (field?.values ?? []);
  return words.map((word) => ({ label: word, insert: quoted(word), type: "", doc: "", required: false }));
}

const known = ({ values, of }: OutlineField, { siblings }: YamlPlace): readonly YamlOption[] =>
  values
    .filter((key) => !siblings.has(key))
    .map((key) => ({ label: key, insert: `${key}: `, type: of, doc: "", required: false }));

/** A definition by its last word: Container, not io.k8s.api.core.v1.Container. */
export function typeText({ type, of }: OutlineField): string {
  const inner = of.split(".").at(-1) ?? "";
  if (type === "list") return `[]${inner}`;
  if (type === "map") return `map[string]${inner}`;
  return type === "object" ? inner || type : type;
}

const quoted = (word: string): string => (word === "*" ? '"*"' : word);
