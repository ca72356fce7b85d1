/** A film's frame as the canvas draws it: nodes that dropped out as a drag's verdicts, the chosen one outlined. */
import type { Verdict } from "../../model/colouring";
import { type Overlay, type OverlayState, overlayOf } from "../../model/overlay";
import type { DragView } from "./board_scene";

/** A node that passes is marked while scores add up, and not before: until then it keeps its own colour. */
const VERDICTS: Readonly<Record<OverlayState, Verdict | undefined>> = {
  passes: undefined,
  rejected: "rejected",
  unresolvable: "unresolvable",
  unseen: undefined,
  best: "fits",
  chosen: "fits",
  candidate: "fits",
  nominated: "fits",
};

export function filmView(overlay: Overlay | undefined): DragView | undefined {
  if (!overlay) return undefined;
  const decided = isDecided(overlay);
  return {
    over: takenNode(overlay),
    victims: overlay.victims,
    verdictOn: (node) => {
      const found = overlayOf(overlay, node);
      const scored = !decided && found?.state === "passes" && found.score !== null;
      const verdict = scored ? "fits" : found && VERDICTS[found.state];
      return verdict && { verdict, word: found?.reason || found?.plugin || "" };
    },
  };
}

function isDecided({ nodes }: Overlay): boolean {
  for (const { state } of nodes.values()) if (state === "best" || state === "chosen") return true;
  return false;
}

function takenNode({ nodes }: Overlay): string | undefined {
  for (const [name, { state }] of nodes) if (state === "chosen" || state === "nominated") return name;
  return undefined;
}
