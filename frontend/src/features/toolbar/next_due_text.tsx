/** What a paused cluster waits for: "next: backoff of web-1 in 3.2 s". */

import { useMemo } from "react";
import { useCluster } from "../../app/cluster_context";
import { t } from "../../app/messages";
import { hasReadyPod, nextDue } from "../../model/next_due";
import { memoised } from "../../model/selectors";
import styles from "./top_bar.module.css";

export function NextDueText() {
  const select = useMemo(
    () =>
      memoised(
        (state) => [state.queue, state.bindings, state.cluster.clock_at, state],
        (_queue, _bindings, now, state) => textOf(state, now),
      ),
    [],
  );
  const text = useCluster(select);
  return (
    <span className={styles.next} data-tip={t.clock.nextTip} data-testid="next-due">
      {text}
    </span>
  );
}

function textOf(state: Parameters<typeof nextDue>[0], now: number): string {
  if (hasReadyPod(state)) return t.clock.nextNow(t.clock.ready);
  const due = nextDue(state);
  if (!due) return t.clock.nextNow(t.clock.nothingDue);
  return t.clock.next(t.clock.due[due.what](due.pod + t.clock.more(due.others)), t.clock.sinceSeconds(due.at - now));
}
