/** The events about one object, newest first. */
import { useMemo } from "react";
import { useCluster } from "../../app/cluster_context";
import { t } from "../../app/messages";
import { formatTimeOfDay } from "../../model/clock";
import { selectEvents } from "../../model/selectors";
import styles from "./inspector.module.css";
import { Section } from "./section";

export function ObjectEvents({ uid }: { readonly uid: string }) {
  const all = useCluster(selectEvents);
  const events = useMemo(() => all.filter(({ regarding_uid }) => regarding_uid === uid), [all, uid]);
  if (events.length === 0) return null;
  return (
    <Section title={t.shell.events} note={events.length} closed>
      <ul className={styles.list}>
        {events.map((event) => (
          <li key={event.uid} data-warning={event.event_type === "Warning"}>
            <time className="num">{formatTimeOfDay(Date.parse(event.last_at) / 1000)}</time>
            <span>
              <b>{event.reason}</b> {event.count > 1 && t.events.times(event.count)} {event.message}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
