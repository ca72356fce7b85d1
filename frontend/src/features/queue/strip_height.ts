/**
 * How tall the queue is: what a person set, and lower while hardly anything waits.
 *
 * It grows at once where pods come to rest, and gets lower only after a while. Pods that merely pass by, as those of a
 * small Deployment on their way to a node, move nothing: for them it grows once they turn out to be many.
 */
import { useEffect, useState } from "react";
import { useCluster } from "../../app/cluster_context";
import { selectLanes, selectUnqueuedPods } from "../../model/selectors";
import type { ClusterState } from "../../model/state";

/** Head, titles of the lanes, and one row. */
export const LOW_HEIGHT = 88;
const PASSES_MS = 2000;
const STAYS_TALL_MS = 4000;

/** Of the lanes, how many pods the fullest one has. */
const mostIn = (...lanes: readonly (readonly unknown[])[]): number => Math.max(...lanes.map(({ length }) => length));

const isBusy = (state: ClusterState): boolean =>
  mostIn(selectUnqueuedPods(state), ...Object.values(selectLanes(state))) > 1;

/** Whether more than one pod waits in a lane for something that it does not bring about itself. */
function isHeld(state: ClusterState): boolean {
  const { activeQ, backoffQ, unschedulablePods, gated, waiting } = selectLanes(state);
  const stopped = state.cluster.state === "paused" ? activeQ : [];
  return mostIn(selectUnqueuedPods(state), backoffQ, unschedulablePods, gated, waiting, stopped) > 1;
}

export function useStripHeight(wanted: number): number {
  const held = useCluster(isHeld);
  const busy = useCluster(isBusy);
  const [tall, setTall] = useState(busy);
  useEffect(() => {
    if (held) {
      setTall(true);
      return;
    }
    const timer = setTimeout(() => setTall(busy), busy ? PASSES_MS : STAYS_TALL_MS);
    return () => clearTimeout(timer);
  }, [held, busy]);
  return tall || held ? wanted : Math.min(wanted, LOW_HEIGHT);
}
