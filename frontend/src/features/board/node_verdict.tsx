/** While something is dragged: whether it fits this node, the first reason if not, the score if so. */
import { t } from "../../app/messages.en";
import { useSelected } from "../../app/use_store";
import { type DragState, verdictOn } from "../../interaction/drag";
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

/** Packed into a string, so that a card renders only when what it shows is another thing. */
export function useNodeVerdict(node: string): ShownVerdict | undefined {
  const packed = useSelected(drag, (state) => pack(state, node));
  return packed === "" ? undefined : (JSON.parse(packed) as ShownVerdict);
}

function pack(state: DragState, node: string): string {
  const shown = shownVerdict(state, node);
  return shown ? JSON.stringify(shown) : "";
}

function shownVerdict(state: DragState, node: string): ShownVerdict | undefined {
  if (state.kind !== "dragging" || state.verdicts.kind === "none") return undefined;
  const over = state.over?.kind === "node" && state.over.name === node;
  if (state.verdicts.kind === "failed") return over ? checking(state.verdicts.error.message, over) : undefined;
  const verdict = verdictOn(state.verdicts, node);
  if (!verdict) return over ? checking(t.drag.checking, over) : undefined;
  const meaning = verdictMeaning(verdict);
  const text = verdict.fits ? t.meaning.fits.word : verdictText(verdict);
  return { meaning, text, score: verdict.score, over, className: meaningClass(meaning) };
}

const checking = (text: string, over: boolean): ShownVerdict => ({
  meaning: undefined,
  text,
  score: null,
  over,
  className: "",
});

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
      {score !== null && meaning === "fits" && <b>{score}</b>}
    </div>
  );
}
