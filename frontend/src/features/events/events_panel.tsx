/** The cluster's events, newest first. A click selects what an event is about. */
import { memo, useDeferredValue, useMemo, useState } from "react";
import { useCluster, useClusterStore } from "../../app/cluster_context";
import { t } from "../../app/messages";
import { select } from "../../app/workbench";
import { formatTimeOfDay } from "../../model/clock";
import type { EventCard } from "../../model/messages.generated";
import { selectEvents } from "../../model/selectors";
import type { ClusterState } from "../../model/state";
import { Button } from "../../ui/button";
import { EmptyState } from "../../ui/empty_state";
import { Icon } from "../../ui/icons";
import styles from "./events.module.css";
import { filterEvents } from "./filter";

const PAGE = 100;

export function EventsPanel() {
  const events = useCluster(selectEvents);
  const [text, setText] = useState("");
  const [warningsOnly, setWarningsOnly] = useState(false);
  const [most, setMost] = useState(PAGE);
  const wanted = useDeferredValue(text);
  const found = useMemo(() => filterEvents(events, { text: wanted, warningsOnly }), [events, wanted, warningsOnly]);
  if (events.length === 0) return <EmptyState title={t.events.empty}>{t.events.emptyHint}</EmptyState>;
  return (
    <div className={styles.panel} data-testid="events">
      <div className={styles.filter}>
        <input
          type="search"
          aria-label={t.events.filter}
          placeholder={t.events.filterHint}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <Button small aria-pressed={warningsOnly} icon="warning" onClick={() => setWarningsOnly(!warningsOnly)}>
          {t.events.warnings}
        </Button>
        <span className={styles.count}>{t.events.shown(found.length, events.length)}</span>
      </div>
      {found.length === 0 && <EmptyState title={t.events.noMatch} />}
      <ul>
        {found.slice(0, most).map((event) => (
          <EventRow key={event.uid} event={event} />
        ))}
      </ul>
      {found.length > most && <Button onClick={() => setMost(most + PAGE)}>{t.events.showMore}</Button>}
    </div>
  );
}

const EventRow = memo(function EventRow({ event }: { readonly event: EventCard }) {
  const store = useClusterStore();
  const about = `${event.regarding_kind}/${event.regarding_name}`;
  return (
    <li>
      <button
        type="button"
        className={styles.event}
        data-testid="event"
        data-reason={event.reason}
        data-warning={event.event_type === "Warning"}
        onClick={() => selectSubject(store.get(), event)}
      >
        <span className={styles.head}>
          {event.event_type === "Warning" && <Icon name="warning" size={12} />}
          <b>{event.reason}</b>
          {event.count > 1 && <span className={styles.times}>{t.events.times(event.count)}</span>}
          <span className={styles.about}>{about}</span>
          <time dateTime={event.last_at}>{formatTimeOfDay(Date.parse(event.last_at) / 1000)}</time>
        </span>
        <span className={styles.message}>{event.message}</span>
        <span className={styles.source}>{event.source}</span>
      </button>
    </li>
  );
});

function selectSubject(state: ClusterState | undefined, { regarding_uid: uid, regarding_name: name }: EventCard): void {
  if (!state) return;
  if (state.pods.has(uid)) select({ kind: "pod", uid });
  else if (state.workloads.has(uid)) select({ kind: "workload", uid });
  else {
    // Kubelets name the node itself as the uid of its events.
    const node = state.nodes.get(uid) ?? [...state.nodes.values()].find((one) => one.name === name);
    if (node) select({ kind: "node", uid: node.uid });
    else if (state.objects.has(uid)) select({ kind: "object", uid });
  }
}
