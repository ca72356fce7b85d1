/** The latest moves, newest first, each with its cause. */
import { memo } from "react";
import { useCluster } from "../../app/cluster_context";
import { t } from "../../app/messages";
import { select } from "../../app/workbench";
import { formatTimeOfDay } from "../../model/clock";
import type { NumberedMove } from "../../model/state";
import { moveCause, moveWay, moveWhy } from "./move_text";
import styles from "./queue_strip.module.css";

const SHOWN = 60;

export function MoveLog() {
  const moves = useCluster((state) => state.moves);
  return (
    <div className={styles.log} role="log" aria-label={t.queue.log} aria-live="off" data-testid="move-log">
      {moves.length === 0 && <p className={styles.empty}>{t.queue.logEmpty}</p>}
      {moves
        .slice(-SHOWN)
        .reverse()
        .map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
    </div>
  );
}

const Entry = memo(function Entry({ entry: { move } }: { readonly entry: NumberedMove }) {
  return (
    <button
      type="button"
      data-tip={`${moveWay(move)}\n${moveCause(move)}`}
      onClick={() => select({ kind: "pod", uid: move.pod.uid })}
    >
      <time>{formatTimeOfDay(move.at)}</time>
      <span>{move.pod.name}</span>
      <small>
        {moveWay(move)} · {moveWhy(move)}
      </small>
    </button>
  );
});
