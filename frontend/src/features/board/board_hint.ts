/** While something is dragged: what a drop on the board itself, beside all nodes, would do. */
import { t } from "../../app/messages";
import { type DragState, intentOf } from "../../interaction/drag";

export interface Hint {
  readonly text: string;
  /** Whether a drop on the board itself does something. */
  readonly accepts: boolean;
  readonly over: boolean;
}

const hint = (text: string, accepts: boolean) =>
  [
    { text, accepts, over: false },
    { text, accepts, over: true },
  ] as const;

/** Made once: a hint that is the same object renders nothing anew. */
const HINTS: Readonly<Record<"bind" | "create" | "add_node", readonly [Hint, Hint]>> = {
  bind: hint(t.drag.dropHere, false),
  create: hint(t.drag.dropBoard, true),
  add_node: hint(t.drag.dropNode, true),
};

export function boardHint(state: DragState): Hint | undefined {
  if (state.kind !== "dragging") return undefined;
  const intent = intentOf(state.source, { kind: "board" }, state.verdicts);
  const [resting, over] = HINTS[intent === "create" || intent === "add_node" ? intent : "bind"];
  const isOver = intent === "add_node" ? state.over !== undefined : state.over?.kind === "board";
  return isOver && resting.accepts ? over : resting;
}
