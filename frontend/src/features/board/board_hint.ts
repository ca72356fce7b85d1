/** While something is dragged: what a drop would do, on a node or beside all of them. */
import { t } from "../../app/messages";
import { preferences } from "../../app/preferences";
import type { DragSource, DragState } from "../../interaction/drag";
import { picks } from "../touch/picks_store";

export interface Hint {
  readonly text: string;
  /** Whether a drop on the board itself does something. */
  readonly accepts: boolean;
  readonly over: boolean;
}

/** Made once a drag: a hint that is the same object renders nothing anew. */
const made = new WeakMap<DragSource, readonly [resting: Hint, over: Hint]>();

function hintsOf(source: DragSource): readonly [Hint, Hint] {
  const known = made.get(source);
  if (known) return known;
  const hint = { text: textOf(source), accepts: source.kind === "template" };
  const hints = [
    { ...hint, over: false },
    { ...hint, over: true },
  ] as const;
  made.set(source, hints);
  return hints;
}

function textOf(source: DragSource): string {
  switch (source.kind) {
    case "template":
      return source.template.kind === "Node" ? t.drag.dropNewNode : t.drag.dropBoard;
    case "mark":
      return t.drag.dropMark(picks.get().nodes.size);
    case "nodes": {
      const { groupBy } = preferences.get();
      return groupBy === "" ? t.drag.noGroups : t.drag.dropNodes(groupBy);
    }
    default:
      return podsText(source);
  }
}

function podsText(source: Extract<DragSource, { kind: "pods" }>): string {
  return source.pods.some(({ node }) => node !== "") ? t.drag.dropRunning : t.drag.dropPending;
}

export function boardHint(state: DragState): Hint | undefined {
  if (state.kind !== "dragging") return undefined;
  const { source, over } = state;
  const [resting, isOverIt] = hintsOf(source);
  const beside = over?.kind === "board" || over?.kind === "group";
  const isNode = source.kind === "template" && source.template.kind === "Node";
  const isOver = isNode ? over !== undefined : beside;
  return isOver && resting.accepts ? isOverIt : resting;
}
