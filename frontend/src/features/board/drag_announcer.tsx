/** Says a drag aloud: what was picked up, over what it is and what a drop there would do, that it was dropped nowhere. */
import { useClusterStore } from "../../app/cluster_context";
import { t } from "../../app/messages";
import { preferences } from "../../app/preferences";
import { useStore } from "../../app/use_store";
import { type DragState, replacersOf } from "../../interaction/drag";
import { groupOf } from "../../model/grouping";
import type { NodeCard } from "../../model/messages.generated";
import { selectNodesByName } from "../../model/selectors";
import type { ClusterState } from "../../model/state";
import { boardHint } from "./board_hint";
import { drag, dragOutcome } from "./drag_controller";
import { markWords } from "./node_verdict";
import { sourceText } from "./source_text";
import { verdictsText } from "./verdict_text";

export function DragAnnouncer() {
  const state = useStore(drag);
  const outcome = useStore(dragOutcome);
  const cluster = useClusterStore();
  return (
    <div role="status" aria-live="assertive" className="visually-hidden" data-testid="drag-announcer">
      {announcementOf(state, cluster.get()) || outcome}
    </div>
  );
}

type Dragging = Extract<DragState, { kind: "dragging" }>;

function announcementOf(state: DragState, cluster: ClusterState | undefined): string {
  if (state.kind !== "dragging") return "";
  const { source, over } = state;
  const hint = boardHint(state)?.text ?? "";
  if (over?.kind === "board") return `${t.drag.overBoard} ${hint}`;
  if (over?.kind === "group") return t.drag.overGroup(over.group || t.board.noZone);
  if (over?.kind === "node") {
    const node = cluster && selectNodesByName(cluster).get(over.name);
    return t.drag.overNode(over.name, node ? wordsOver(state, node) : hint);
  }
  const owners = replacersOf(source);
  const replaced = owners.length > 0 ? ` ${t.dropNote.owned(owners.join(", "))}` : "";
  return `${t.drag.pickedUp(sourceText(source))} ${hint}.${replaced}`;
}

function wordsOver(state: Dragging, node: NodeCard): string {
  const { source, verdicts } = state;
  if (source.kind === "mark") return markWords(source.mark, node);
  if (source.kind === "nodes") {
    const { groupBy } = preferences.get();
    return groupBy === "" ? t.drag.noGroups : t.drag.toGroup(groupOf(node, groupBy) || t.board.noZone);
  }
  return verdicts.kind === "none" ? (boardHint(state)?.text ?? "") : verdictsText(verdicts, node.name);
}
