/** The timeline as tables: what happened in each stretch, and single events; each with the way to its moment. */
import { usePast } from "../../app/cluster_context";
import { t } from "../../app/messages";
import { formatTimeOfDay } from "../../model/clock";
import type { Timeline } from "../../transport/history_api";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import styles from "./timeline.module.css";
import { COUNTS, markText } from "./timeline_text";

interface TimelineTableProps {
  readonly history: Timeline;
  readonly onClose: () => void;
}

export function TimelineTable({ history, onClose }: TimelineTableProps) {
  const past = usePast();
  const goTo = (version: number) => {
    onClose();
    past.goTo(version);
  };
  return (
    <Dialog title={t.timeline.tableTitle} onClose={onClose} testId="timeline-dialog" wide>
      {/* Scrolled by keyboard as well. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable */}
      <section className={styles.tables} tabIndex={0} aria-label={t.timeline.tableTitle}>
        <Slots history={history} onGoTo={goTo} />
        <h3>{t.timeline.marks}</h3>
        {history.marks_left_out && <p>{t.timeline.marksLeftOut}</p>}
        <Marks history={history} onGoTo={goTo} />
      </section>
    </Dialog>
  );
}

const NEWS = COUNTS.filter((name) => name !== "changes");

interface PartProps {
  readonly history: Timeline;
  readonly onGoTo: (version: number) => void;
}

function Slots({ history, onGoTo }: PartProps) {
  const counts = COUNTS.filter((name) => history.slots.some((slot) => slot[name] > 0));
  // Those that only went on (statuses, moves) are no news.
  const told = history.slots.filter((slot) => NEWS.some((name) => slot[name] > 0));
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th>{t.timeline.from}</th>
          <th>{t.timeline.until}</th>
          {counts.map((name) => (
            <th key={name}>{t.timeline.counts[name]}</th>
          ))}
          <td />
        </tr>
      </thead>
      <tbody>
        {[...told].reverse().map((slot) => (
          <tr key={slot.first}>
            <td>{formatTimeOfDay(slot.begins)}</td>
            <td>{formatTimeOfDay(slot.ends)}</td>
            {counts.map((name) => (
              <td key={name}>{slot[name] === 0 ? "" : t.number(slot[name])}</td>
            ))}
            <td>
              <GoTo at={slot.ends} version={slot.last} onGoTo={onGoTo} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Marks({ history, onGoTo }: PartProps) {
  return (
    <table className={styles.table} data-testid="timeline-marks">
      <tbody>
        {[...history.marks].reverse().map((mark) => (
          <tr key={`${mark.version} ${mark.what}`}>
            <td>{formatTimeOfDay(mark.at)}</td>
            <th scope="row">{markText(mark)}</th>
            <td>
              <GoTo at={mark.at} version={mark.version} onGoTo={onGoTo} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface GoToProps {
  readonly at: number;
  readonly version: number;
  readonly onGoTo: (version: number) => void;
}

function GoTo({ at, version, onGoTo }: GoToProps) {
  return (
    <Button small look="quiet" aria-label={t.timeline.goThere(formatTimeOfDay(at))} onClick={() => onGoTo(version)}>
      {t.timeline.goTo}
    </Button>
  );
}
