/** Says a drag aloud: what was picked up, over what it is and whether it fits, what a drop did. */
import { t } from "../../app/messages.en";
import { useStore } from "../../app/use_store";
import { type DragState, nameOf } from "../../interaction/drag";
import { drag, dragOutcome } from "./drag_controller";
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
  if (state.kind === "failed") return state.error.message;
  if (state.kind !== "dragging") return "";
  const { source, over, verdicts } = state;
  if (over?.kind === "board") return t.drag.overBoard;
  if (over?.kind === "node") {
    return verdicts.kind === "none" ? t.drag.dropNode : t.drag.overNode(over.name, verdictsText(verdicts, over.name));
  }
  const name = nameOf(source);
  return source.kind === "pod" ? t.drag.pickUpPod(name) : t.drag.pickUpTemplate(name);
}
