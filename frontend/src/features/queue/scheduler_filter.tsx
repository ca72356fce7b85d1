/** Where several schedulers work: whose queue is shown. */
import { useMemo } from "react";
import { useCluster } from "../../app/cluster_context";
import { t } from "../../app/messages";
import type { QueuedPodCard } from "../../model/messages.generated";
import { FIRST_SCHEDULER, type QueueName, selectLanes, selectSeveralSchedulers } from "../../model/selectors";
import styles from "./queue_strip.module.css";

interface SchedulerFilterProps {
  /** "": all. */
  readonly scheduler: string;
  readonly onChoose: (scheduler: string) => void;
}

export function SchedulerFilter({ scheduler, onChoose }: SchedulerFilterProps) {
  const several = useCluster(selectSeveralSchedulers);
  const queue = useCluster((state) => state.queue);
  const decisions = useCluster((state) => state.decisions);
  const names = useMemo(() => {
    if (!several) return [];
    const found = [...[...queue.values()].map((card) => card.scheduler), ...decisions.map((one) => one.scheduler)];
    return [...new Set([FIRST_SCHEDULER, ...found])].filter(Boolean).sort();
  }, [several, queue, decisions]);
  if (!several) return null;
  return (
    <select
      className={styles.filter}
      aria-label={t.lane.scheduler}
      value={scheduler}
      data-testid="scheduler-filter"
      onChange={(event) => onChoose(event.target.value)}
    >
      <option value="">{t.lane.allSchedulers}</option>
      {names.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </select>
  );
}

/** The lanes, of one scheduler only where one is chosen. */
export function useLanes(scheduler: string): Readonly<Record<QueueName, readonly QueuedPodCard[]>> {
  const lanes = useCluster(selectLanes);
  return useMemo(() => {
    if (!scheduler) return lanes;
    const only = Object.entries(lanes).map(([name, cards]) => [
      name,
      cards.filter((card) => card.scheduler === scheduler),
    ]);
    return Object.fromEntries(only);
  }, [lanes, scheduler]);
}
