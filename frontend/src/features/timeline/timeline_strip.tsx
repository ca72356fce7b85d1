/**
 * The cluster's timeline below the queue: what happened over time, and the moment that is shown.
 *
 * The ruler and the knob scrub through the past; a click on what happened tells of it, and from there one goes to it.
 */
import { useState } from "react";
import { usePast } from "../../app/cluster_context";
import { t } from "../../app/messages";
import { prefer, preferences } from "../../app/preferences";
import { useSelected, useStore } from "../../app/use_store";
import { shownOf } from "../../model/rewind";
import { type Axis, type Column, type Span, zoomed } from "../../model/timeline";
import type { Timeline } from "../../transport/history_api";
import { Button, IconButton } from "../../ui/button";
import { ErrorNote } from "../../ui/error_note";
import { ColumnDetail } from "./column_detail";
import styles from "./timeline.module.css";
import { TimelineTable } from "./timeline_table";
import { TimelineTrack } from "./timeline_track";
import { useHistory } from "./use_history";

export function TimelineStrip() {
  const open = useSelected(preferences, ({ timelineOpen }) => timelineOpen);
  return (
    <section className={styles.strip} aria-label={t.timeline.title} data-testid="timeline">
      {open ? <Opened /> : <Closed />}
    </section>
  );
}

function Closed() {
  const past = usePast();
  return (
    <div className={styles.head}>
      <h2>{t.timeline.title}</h2>
      <span className={styles.end}>
        <IconButton small icon="step_back" label={t.rewind.back} shortcut="," onClick={() => past.step(-1)} />
        <IconButton
          small
          icon="chevron_up"
          label={t.timeline.show}
          data-testid="show-timeline"
          onClick={() => prefer({ timelineOpen: true })}
        />
      </span>
    </div>
  );
}

function Opened() {
  const [span, setSpan] = useState<Span>();
  const [column, setColumn] = useState<Column>();
  const [table, setTable] = useState(false);
  const axis = useSelected(preferences, ({ timelineAxis }) => timelineAxis);
  const { history, error } = useHistory(span);
  return (
    <>
      <div className={styles.head}>
        <h2>{t.timeline.title}</h2>
        {column && <ColumnDetail column={column} onClose={() => setColumn(undefined)} />}
        <span className={styles.end}>
          {history && <Zoom history={history} span={span} onSpan={setSpan} />}
          <AxisChoice axis={axis} />
          <Button small look="quiet" data-testid="timeline-table" onClick={() => setTable(true)}>
            {t.timeline.table}
          </Button>
          <IconButton
            small
            icon="chevron_down"
            label={t.timeline.hide}
            data-testid="hide-timeline"
            onClick={() => prefer({ timelineOpen: false })}
          />
        </span>
      </div>
      {error && <ErrorNote error={error} />}
      {/* Its room, until the server has answered: nothing above moves when it comes. */}
      {!history && !error && <div className={styles.track} />}
      {history && <TimelineTrack history={history} axis={axis} chosen={column} onChoose={setColumn} onSpan={setSpan} />}
      {table && history && <TimelineTable history={history} onClose={() => setTable(false)} />}
    </>
  );
}

interface ZoomProps {
  readonly history: Timeline;
  readonly span: Span | undefined;
  readonly onSpan: (span: Span | undefined) => void;
}

function Zoom({ history, span, onSpan }: ZoomProps) {
  const { past } = useStore(usePast().standing);
  const zoom = (factor: number) => onSpan(zoomed(history, factor, past ? shownOf(past).state.version : history.last));
  return (
    <>
      <IconButton small icon="plus" label={t.timeline.zoomIn} data-testid="timeline-in" onClick={() => zoom(0.5)} />
      <IconButton small icon="minus" label={t.timeline.zoomOut} disabled={!span} onClick={() => zoom(2)} />
      <IconButton small icon="fit" label={t.timeline.all} disabled={!span} onClick={() => onSpan(undefined)} />
    </>
  );
}

function AxisChoice({ axis }: { readonly axis: Axis }) {
  return (
    <fieldset className={styles.axes} aria-label={t.timeline.axis}>
      {(["time", "changes"] as const).map((one) => (
        <Button
          key={one}
          small
          look="quiet"
          aria-pressed={one === axis}
          data-tip={t.timeline.axesTip[one]}
          data-testid={`axis-${one}`}
          onClick={() => prefer({ timelineAxis: one })}
        >
          {t.timeline.axes[one]}
        </Button>
      ))}
    </fieldset>
  );
}
