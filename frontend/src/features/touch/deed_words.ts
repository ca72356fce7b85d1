/** What was done, in a line. */
import { t } from "../../app/messages";
import type { Deed, PodName } from "../../interaction/deeds";
import { markText } from "../../interaction/marks";
import type { NodeEdit } from "../../interaction/node_patch";
import type { Done } from "../../interaction/perform";
import { ZONE_LABEL } from "../../model/grouping";

const namesOf = (pods: readonly PodName[]): readonly string[] => pods.map(({ name }) => name);

export function deedText(deed: Deed, done: Done): string {
  switch (deed.kind) {
    case "create":
      return t.deeds.created(done.names[0] ?? "", deed.node ?? "");
    case "bind":
      return t.deeds.bound(namesOf(deed.pods), deed.node);
    case "pin":
      return t.deeds.pinned(namesOf(deed.pods), deed.node);
    case "move":
      return t.deeds.moved(namesOf(deed.pods), deed.node);
    case "delete_pods":
      return t.deeds.removed(t.deeds.pods(namesOf(deed.pods)));
    case "edit_nodes":
      return editText(deed.edit, done.names.length > 0 ? done.names : deed.names);
    case "drain":
      return t.deeds.draining(deed.names);
    case "cancel_drain":
      return t.deeds.drainCancelled(deed.names);
    case "fail":
      return t.deeds.failing(deed.names);
    case "recover":
      return t.deeds.recovering(deed.names);
    default:
      return t.deeds.removed(t.deeds.nodes(deed.names));
  }
}

function editText(edit: NodeEdit, names: readonly string[]): string {
  switch (edit.kind) {
    case "cordon":
      return edit.unschedulable ? t.deeds.cordoned(names) : t.deeds.uncordoned(names);
    case "allocatable":
      return edit.quantity === null
        ? t.deeds.noAmount(edit.resource, names)
        : t.deeds.amount(edit.resource, edit.quantity, names);
    case "label": {
      const key = edit.key === ZONE_LABEL ? t.board.zone : edit.key;
      return edit.value === null ? t.deeds.taken(key, names) : t.deeds.put(`${key}=${edit.value}`, names);
    }
    default:
      return edit.kind === "put" ? t.deeds.put(markText(edit.mark), names) : t.deeds.taken(markText(edit.mark), names);
  }
}

/** With what else there is to know: who makes a replacement, what was refused. */
export function doneText(deed: Deed, done: Done): string {
  const { names, failures, replaced_by } = done;
  const [first] = failures;
  if (names.length === 0) return first ? `${first.what}: ${first.error.message}` : t.deeds.noChange;
  const replaced = replaced_by ? t.deeds.replacedBy(replaced_by) : "";
  return `${deedText(deed, done)}${failures.length > 0 ? t.deeds.refused(failures.length) : ""}${replaced}`;
}
