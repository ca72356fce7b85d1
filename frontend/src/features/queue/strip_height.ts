/**
 * How tall the queue is: what a person set, and lower while hardly anything waits.
 *
 * It grows at once when pods come and gets lower only after a while, so that a single pod on its way moves nothing.
 */
import { useEffect, useState } from "react";
import { useCluster } from "../../app/cluster_context";
import { selectLanes, selectUnqueuedPods } from "../../model/selectors";
import type { ClusterState } from "../../model/state";

/** Head, titles of the lanes, and one row. */
export const LOW_HEIGHT = 88;
const STAYS_TALL_MS = 4000;

/** Whether a lane has more than one pod. */
const isBusy = (state: ClusterState): boolean =>
  selectUnqueuedPods(state).length > 1 || Object.values(selectLanes(state)).some(({ length }) => length > 1);

export function useStripHeight(wanted: number): number {
  const busy = useCluster(isBusy);
  const [tall, setTall] = useState(busy);
  useEffect(() => {
    if (busy) {
      setTall(true);
      return;
    }
    const timer = setTimeout(() => setTall(false), STAYS_TALL_MS);
    return () => clearTimeout(timer);
  }, [busy]);
  return tall || busy ? wanted : Math.min(wanted, LOW_HEIGHT);
}
