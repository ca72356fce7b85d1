/** In a line: who moved last, where to, and why. Of many that moved at once, how many. */
import { useMemo } from "react";
import { useCluster } from "../../app/cluster_context";
import { t } from "../../app/messages";
import { select } from "../../app/workbench";
import { latestMove } from "../../model/latest_move";
import { moveCause, moveWay, moveWhy } from "./move_text";
import styles from "./queue_strip.module.css";

export function LatestMove() {
  const moves = useCluster((state) => state.moves);
  const latest = useMemo(() => latestMove(moves), [moves]);
  if (!latest) return null;
  const { move, count } = latest;
  return (
    <button
      type="button"
      className={styles.latest}
      aria-label={`${t.lane.lastMove}: ${who(move.pod.name, count)}, ${moveWay(move)}, ${moveWhy(move)}`}
      data-tip={`${t.lane.lastMove}\n${moveWay(move)}\n${moveCause(move)}`}
      data-testid="latest-move"
      onClick={() => select({ kind: "pod", uid: move.pod.uid })}
    >
      <b>{who(move.pod.name, count)}</b> {moveWay(move)} <span>{moveWhy(move)}</span>
    </button>
  );
}

const who = (pod: string, count: number): string => (count > 1 ? t.pods(count) : pod);
