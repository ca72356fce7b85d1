/** The open cluster, for every component below it. */
import { createContext, type ReactNode, useContext, useEffect, useMemo, useSyncExternalStore } from "react";
import type { ClusterState } from "../model/state";
import type { Store } from "../model/store";
import { browserPast, browserWorld } from "../transport/browser_world";
import { ClusterFeed, type Connection, type FeedWorld } from "../transport/cluster_feed";
import { PastFeed, type Standing } from "../transport/past_feed";
import { changesHeld } from "../transport/rest";
import { useSelected, useStore } from "./use_store";

interface OpenCluster {
  readonly slug: string;
  readonly feed: ClusterFeed;
  readonly past: PastFeed;
}

const ClusterContext = createContext<OpenCluster | undefined>(undefined);

interface ClusterProviderProps {
  readonly slug: string;
  readonly children: ReactNode;
  /** Another world than the browser's, for tests. */
  readonly world?: FeedWorld;
}

export function ClusterProvider({ slug, children, world }: ClusterProviderProps) {
  const open = useMemo(() => {
    const feed = new ClusterFeed(world ?? browserWorld(slug));
    return { slug, feed, past: new PastFeed(feed.state, browserPast(slug)) };
  }, [slug, world]);
  useEffect(() => {
    const { feed, past } = open;
    const reconnect = () => feed.reconnectNow();
    const suspect = () => feed.suspect();
    const hold = () => changesHeld.set(feed.connection.get().kind !== "live");
    const stopHolding = feed.connection.subscribe(hold);
    hold();
    feed.start();
    window.addEventListener("online", reconnect);
    window.addEventListener("offline", suspect);
    return () => {
      window.removeEventListener("online", reconnect);
      window.removeEventListener("offline", suspect);
      past.goLive();
      feed.stop();
      stopHolding();
      changesHeld.set(false);
    };
  }, [open]);
  return <ClusterContext value={open}>{children}</ClusterContext>;
}

function useOpenCluster(): OpenCluster {
  const open = useContext(ClusterContext);
  if (!open) throw new Error("used outside of a ClusterProvider");
  return open;
}

/** The slug, as every URL has it. */
export const useClusterSlug = (): string => useOpenCluster().slug;

export const useFeed = (): ClusterFeed => useOpenCluster().feed;

export const useConnection = (): Connection => useStore(useFeed().connection);

export const usePast = (): PastFeed => useOpenCluster().past;

const isRewound = ({ past }: Standing) => past !== undefined;

/** Whether the page shows the past: then nothing can be changed, and nothing is live. */
export const useIsRewound = (): boolean => useSelected(usePast().standing, isRewound);

/** Whether what the page shows is the present: only then may it be acted upon. */
export function useIsLive(): boolean {
  const isRewound = useIsRewound();
  return useConnection().kind === "live" && !isRewound;
}

/** What is shown, for reading in an event handler without rendering on every change. */
export const useClusterStore = (): Store<ClusterState | undefined> => usePast().shown;

/** True once the first snapshot is there: below that, `useCluster` may be used. */
export function useHasCluster(): boolean {
  const { subscribe, get } = useClusterStore();
  return useSyncExternalStore(subscribe, () => get() !== undefined);
}

/**
 * A part of the cluster's state; renders only when that part is another value.
 * `select` must return the same object for the same state (a field, or a memoised selector).
 */
export function useCluster<R>(select: (state: ClusterState) => R): R {
  const { subscribe, get } = useClusterStore();
  return useSyncExternalStore(subscribe, () => {
    const state = get();
    if (!state) throw new Error("useCluster before the first snapshot");
    return select(state);
  });
}
