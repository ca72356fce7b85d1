/**
 * An edit of a node as the merge patch of its manifest.
 *
 * Lists (taints, images) are replaced whole by a merge patch, so they are made from the manifest as it is, with
 * everything in it that the page does not know of. `isStillThere` tells whether a patch still stands: whoever
 * undoes it must not take away what came since.
 */
import type { Manifest } from "../transport/api_types";
import type { Mark } from "./marks";

export type NodeEdit =
  | { readonly kind: "put"; readonly mark: Mark }
  | { readonly kind: "remove"; readonly mark: Mark }
  /** null takes the label away. */
  | { readonly kind: "label"; readonly key: string; readonly value: string | null }
  /** null: the node has none of it any more. */
  | { readonly kind: "allocatable"; readonly resource: string; readonly quantity: string | null }
  | { readonly kind: "cordon"; readonly unschedulable: boolean };

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

/** Undefined where the node is that way already. */
export function patchFor(node: Manifest, edit: NodeEdit): JsonObject | undefined {
  const patch = wantedPatch(node, edit);
  return isStillThere(node, patch) ? undefined : patch;
}

function wantedPatch(node: Manifest, edit: NodeEdit): JsonObject {
  switch (edit.kind) {
    case "cordon":
      return { spec: { unschedulable: edit.unschedulable || null } };
    case "label":
      return { metadata: { labels: { [edit.key]: edit.value } } };
    case "allocatable":
      return { status: amounts(node, edit.resource, edit.quantity) };
    default:
      return markPatch(node, edit.mark, edit.kind === "put");
  }
}

/** A resource that comes or goes does so in the node's capacity, too. */
function amounts(node: Manifest, resource: string, quantity: string | null): JsonObject {
  const allocatable = { [resource]: quantity };
  const isNew = !Object.hasOwn(objectAt(node, "status", "capacity"), resource);
  return isNew || quantity === null ? { allocatable, capacity: { [resource]: quantity } } : { allocatable };
}

function markPatch(node: Manifest, mark: Mark, put: boolean): JsonObject {
  if (mark.kind === "label") {
    const { key, value } = mark.label;
    return { metadata: { labels: { [key]: put ? value : null } } };
  }
  if (mark.kind === "taint") {
    const { key, value, effect } = mark.taint;
    const isSame = (one: JsonObject) => one.key === key && one.effect === effect;
    const taint = { key, effect, ...(value ? { value } : {}) };
    return { spec: { taints: changedList(listAt(node, "spec", "taints"), isSame, put ? taint : undefined) } };
  }
  const { name, size_bytes } = mark.image;
  const isSame = ({ names }: JsonObject) => Array.isArray(names) && names.includes(name);
  const image = { names: [name], sizeBytes: size_bytes };
  return { status: { images: changedList(listAt(node, "status", "images"), isSame, put ? image : undefined) } };
}

/** In place where one like it is there, else at the end; null for an empty list. */
function changedList(
  list: readonly JsonObject[],
  isSame: (one: JsonObject) => boolean,
  next: JsonObject | undefined,
): readonly JsonObject[] | null {
  const at = list.findIndex(isSame);
  const others = list.filter((one) => !isSame(one));
  if (!next) return others.length > 0 ? others : null;
  if (at < 0) return [...list, next];
  // One that says the same keeps what else it says: since when a taint is there.
  const kept = list[at];
  const same = kept !== undefined && includes(kept, next);
  return [...others.slice(0, at), same ? kept : next, ...others.slice(at)];
}

const includes = (whole: JsonObject, part: JsonObject): boolean =>
  Object.entries(part).every(([key, value]) => sameJson(whole[key], value)) &&
  (whole.value ?? "") === (part.value ?? "");

/** Whether applying the patch to the object would change nothing. */
export function isStillThere(object: unknown, patch: Json): boolean {
  if (!isObject(patch)) return sameJson(object, patch);
  const fields = isObject(object) ? object : {};
  return Object.entries(patch).every(([key, value]) => {
    if (value === null) return isAbsent(fields[key]);
    return isStillThere(fields[key], value);
  });
}

const isAbsent = (value: unknown): boolean =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0);

/** What the API server adds to a taint that was written without it. */
const SET_BY_SERVER = "timeAdded";

function sameJson(a: unknown, b: unknown): boolean {
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((one, at) => sameJson(one, b[at]));
  if (!isObject(a) || !isObject(b)) return a === b;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  if (!(SET_BY_SERVER in a && SET_BY_SERVER in b)) keys.delete(SET_BY_SERVER);
  return [...keys].every((key) => sameJson(a[key], b[key]));
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function objectAt(node: Manifest, part: "spec" | "status", key: string): JsonObject {
  const found = node[part]?.[key];
  return isObject(found) ? found : {};
}

function listAt(node: Manifest, part: "spec" | "status", key: string): readonly JsonObject[] {
  const found = node[part]?.[key];
  return Array.isArray(found) ? found.filter(isObject) : [];
}
