/** What was clicked in the timeline, in a line: its counts, its last attempt, and the way to that moment. */
import { useClusterSlug, usePast } from "../../app/cluster_context";
import { t } from "../../app/messages";
import { useAction } from "../../app/use_action";
import { select } from "../../app/workbench";
import { formatTimeOfDay } from "../../model/clock";
import type { Column } from "../../model/timeline";
import { getDecision } from "../../transport/api";
import { Button, IconButton } from "../../ui/button";
import { ErrorNote } from "../../ui/error_note";
import styles from "./timeline.module.css";
import { COUNTS, spanText } from "./timeline_text";

export function ColumnDetail({ column, onClose }: { readonly column: Column; readonly onClose: () => void }) {
  const past = usePast();
  const slug = useClusterSlug();
  const { run, error, clear } = useAction();
  const { last_sequence: sequence } = column;
  const inspect = async () => {
    const decision = await run(getDecision(slug, sequence));
    if (decision) select({ kind: "pod", uid: decision.pod.uid, sequence });
  };
  const counts = COUNTS.filter((name) => column[name] > 0);
  return (
    <span className={styles.detail} data-testid="timeline-detail">
      <b className="num">{spanText(column)}</b>
      <span className={styles.counts}>
        {counts.map((name) => `${t.timeline.counts[name]} ${t.number(column[name])}`).join(" · ")}
      </span>
      {sequence > 0 && (
        <Button small look="quiet" data-testid="inspect-attempt" onClick={() => void inspect()}>
          {t.timeline.inspect}
        </Button>
      )}
      <Button
        small
        icon="rewind"
        aria-label={t.timeline.goThere(formatTimeOfDay(column.ends))}
        data-testid="go-to-column"
        onClick={() => past.goTo(column.last)}
      >
        {t.timeline.goTo}
      </Button>
      <IconButton small icon="close" label={t.timeline.close} onClick={onClose} />
      {error && <ErrorNote error={error} onDismiss={clear} />}
    </span>
  );
}
