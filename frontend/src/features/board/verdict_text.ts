/** A verdict in words, the same on the card, in the dialog and for a screen reader. */
import { t } from "../../app/messages";
import { type Verdicts, verdictOn } from "../../interaction/drag";
import type { NodeVerdict } from "../../transport/api_types";
import { type MeaningName, meaningOfCode } from "../../ui/meaning";

export function verdictText(verdict: NodeVerdict): string {
  if (verdict.fits) return t.drag.verdictFits(verdict.score);
  return verdict.reasons[0] ?? verdict.plugin;
}

export const verdictMeaning = (verdict: NodeVerdict): MeaningName =>
  verdict.fits ? "fits" : meaningOfCode(verdict.code);

export function verdictsText(verdicts: Verdicts, node: string): string {
  if (verdicts.kind === "asking") return t.drag.checking;
  if (verdicts.kind === "failed") return verdicts.error.message;
  const verdict = verdictOn(verdicts, node);
  return verdict ? verdictText(verdict) : t.drag.unknown;
}
