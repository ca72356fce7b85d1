/** The time, ticking: only components that show a clock use it. */
import { useEffect, useState } from "react";
import { clusterTime } from "../model/clock";
import { clockSkew } from "../transport/rest";
import { useCluster, useConnection } from "./cluster_context";

export function useWallClock(everyMs: number, running = true): number {
  const [now, setNow] = useState(() => Date.now() / 1000);
  useEffect(() => {
    setNow(Date.now() / 1000);
    if (!running) return;
    const timer = setInterval(() => setNow(Date.now() / 1000), everyMs);
    return () => clearInterval(timer);
  }, [everyMs, running]);
  return now;
}

/**
 * Cluster time in seconds since the epoch.
 *
 * Where the page is not live it is the time until which the page knows the cluster: it stands still.
 */
export function useClusterNow(everyMs = 250): number {
  const card = useCluster((state) => state.cluster);
  const connection = useConnection();
  const stoodAt = "since" in connection ? connection.since / 1000 : undefined;
  const wall = useWallClock(everyMs, card.state === "running" && stoodAt === undefined);
  return clusterTime(card, stoodAt ?? wall, clockSkew.get());
}
