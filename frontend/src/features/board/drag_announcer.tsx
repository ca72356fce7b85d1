/** Says a drag aloud: what was picked up, over what it is and whether it fits, that it was dropped nowhere. */
import { t } from "../../app/messages";
import { useStore } from "../../app/use_store";
import { type DragState, replacersOf } from "../../interaction/drag";
import { boardHint } from "./board_hint";
import { drag, dragOutcome } from "./drag_controller";
import { sourceText } from "./source_text";
import { verdictsText } from "./verdict_text";

export function DragAnnouncer() {
  const state = useStore(drag);
  const outcome = useStore(dragOutcome);
  return (
    <div role="status" aria-live="assertive" className="visually-hidden" data-testid="drag-announcer">
      {announcementOf(state) || outcome}
    </div>
  );
}

function announcementOf(state: DragState): string {
  if (state.kind !== "dragging") return "";
  const { source, over, verdicts } = state;
  const hint = boardHint(state)?.text ?? "";
  if (over?.kind === "board") return `${t.drag.overBoard} ${hint}`;
  if (over?.kind === "group") return t.drag.overGroup(over.group);
  if (over?.kind === "node")
    return t.drag.overNode(over.name, verdicts.kind === "none" ? hint : verdictsText(verdicts, over.name));
  const owners = replacersOf(source);
  const replaced = owners.length > 0 ? ` ${t.dropNote.owned(owners.join(", "))}` : "";
  return `${t.drag.pickedUp(sourceText(source))} ${hint}.${replaced}`;
}
