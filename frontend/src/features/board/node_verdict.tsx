/**
 * While something is dragged: whether it fits this node, the first reason if not, the score if so. While a
 * film is shown, the same of the film's frame.
 */
import { t } from "../../app/messages";
import { useSelected } from "../../app/use_store";
import { type DragState, verdictOn } from "../../interaction/drag";
import { effectOf, type Mark } from "../../interaction/marks";
import type { NodeCard } from "../../model/messages.generated";
import { filmOverlay, type NodeOverlay, type OverlayState, overlayOf } from "../../model/overlay";
import type { NodeVerdict } from "../../transport/api_types";
import { Icon } from "../../ui/icons";
import { type MeaningName, meaningClass } from "../../ui/meaning";
import { drag } from "./drag_controller";
import { verdictMeaning, verdictText } from "./verdict_text";

export interface ShownVerdict {
  /** Undefined while the scheduler is being asked. */
  readonly meaning: MeaningName | undefined;
  readonly text: string;
  readonly score: number | null;
  readonly over: boolean;
  readonly className: string;
}

/** Two small looks at the drag, so that of a thousand nodes only the two that the hand leaves and enters are drawn. */
export function useNodeVerdict(node: NodeCard): ShownVerdict | undefined {
  const over = useSelected(drag, (state) => isOver(state, node.name));
  const found = useSelected(drag, (state) => verdictOrWords(state, node));
  if (typeof found === "string") return over ? { ...UNKNOWN, text: found, over } : undefined;
  if (!found) return undefined;
  const meaning = verdictMeaning(found);
  const text = found.fits ? t.meaning.fits.word : verdictText(found);
  return { meaning, text, score: found.score, over, className: meaningClass(meaning) };
}

const OVERLAY_MEANING: Readonly<Record<OverlayState, MeaningName | undefined>> = {
  passes: "fits",
  rejected: "rejected",
  unresolvable: "unresolvable",
  unseen: undefined,
  best: "fits",
  chosen: "chosen",
  candidate: "nominated",
  nominated: "nominated",
};

/** What the film says of the node; nothing while it only passes and has no score yet. */
export function useNodeOverlay(node: string): ShownVerdict | undefined {
  const found = useSelected(filmOverlay, (overlay) => overlayOf(overlay, node));
  if (!found || (found.state === "passes" && found.score === null)) return undefined;
  const meaning = OVERLAY_MEANING[found.state];
  const className = meaning ? meaningClass(meaning) : "";
  return { meaning, text: overlayText(found), score: found.score, over: false, className };
}

/** While a film is shown every card has room for a verdict, so that none covers a victim, and no frame moves the board. */
export const useFilmed = (): boolean => useSelected(filmOverlay, isShown);

const isShown = (overlay: unknown): boolean => overlay !== undefined;

const overlayText = ({ state, reason, plugin }: NodeOverlay): string => reason || plugin || t.film.states[state];

const UNKNOWN = { meaning: undefined, score: null, className: "" } as const;

const isOver = (state: DragState, node: string): boolean =>
  state.kind === "dragging" && state.over?.kind === "node" && state.over.name === node;

/** The verdict; words where there is none (yet); undefined where nothing is asked. */
function verdictOrWords(state: DragState, node: NodeCard): NodeVerdict | string | undefined {
  if (state.kind !== "dragging") return undefined;
  const { source, verdicts } = state;
  if (source.kind === "mark") return markWords(source.mark, node);
  if (verdicts.kind === "none") return undefined;
  if (source.kind === "pods" && source.pods.every((pod) => pod.node === node.name)) return t.drag.isThere;
  if (verdicts.kind === "failed") return verdicts.error.message;
  return verdictOn(verdicts, node.name) ?? t.drag.checking;
}

export function markWords(mark: Mark, node: NodeCard): string {
  const effect = effectOf(mark, node);
  return effect.kind === "replaces" ? t.drag.marks.replaces(effect.before) : t.drag.marks[effect.kind];
}

interface StripProps {
  readonly verdict: ShownVerdict;
  readonly className: string | undefined;
  readonly checkingClassName: string | undefined;
}

export function NodeVerdictStrip({ verdict, className, checkingClassName }: StripProps) {
  const { meaning, text, score } = verdict;
  return (
    <div className={`${className} ${meaning ? "" : checkingClassName}`} data-testid="node-verdict">
      {meaning && <Icon name={meaning} size={12} />}
      <span>{text}</span>
      {score !== null && meaning && <b>{score}</b>}
    </div>
  );
}
