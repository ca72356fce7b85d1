/** Why some nodes were not looked at, in a sentence; nothing when all were. */
import { t } from "../../app/messages";

/** kube-scheduler never stops its search before it has found as many nodes that fit. */
const FEWEST_SOUGHT = 100;

export function searchInWords(evaluated: number, total: number): string {
  if (evaluated >= total || evaluated === 0) return "";
  const { sampled, narrowed } = t.inspector.words;
  return (evaluated < FEWEST_SOUGHT ? narrowed : sampled)(evaluated, total);
}
