/** Objects under the names of their kinds. */

import type { ObjectCard } from "../../model/messages.generated";
import { byNamespaceAndName } from "../../model/names";

export interface ObjectGroup {
  readonly kind: string;
  readonly objects: readonly ObjectCard[];
}

/** Those in which every word of `text` occurs, by kind, namespace and name. */
export function grouped(objects: Iterable<ObjectCard>, text: string): readonly ObjectGroup[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const groups = new Map<string, ObjectCard[]>();
  for (const object of objects) {
    const own = `${object.object_kind} ${object.namespace}/${object.name}`.toLowerCase();
    if (!words.every((word) => own.includes(word))) continue;
    const group = groups.get(object.object_kind);
    if (group) group.push(object);
    else groups.set(object.object_kind, [object]);
  }
  return [...groups]
    .map(([kind, found]) => ({ kind, objects: found.sort(byNamespaceAndName) }))
    .sort((one, other) => one.kind.localeCompare(other.kind));
}
