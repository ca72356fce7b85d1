/** A pod's life as the server keeps it, asked anew whenever the stream tells something of the pod. */
import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { useCluster, useClusterSlug } from "../../app/cluster_context";
import type { PodRef, QueueMove } from "../../model/messages.generated";
import { getPodLife } from "../../transport/api";
import type { PodLife } from "../../transport/api_types";
import { send } from "../../transport/rest";

/** What did not wake a pod is no news of the pod: it is looked up from time to time. */
const SLEEPER_LOOK_MS = 5_000;

export interface WatchedLife {
  /** undefined while it is read for the first time, or cannot be. */
  readonly life: PodLife | undefined;
  readonly streamed: readonly QueueMove[];
  readonly loading: boolean;
}

export function usePodLife({ namespace, name, uid }: PodRef): WatchedLife {
  const slug = useClusterSlug();
  const streamed = useStreamedMoves(uid);
  const sleeps = useCluster((state) => isAsleep(state.queue.get(uid)?.queue));
  const news = useNews(uid, streamed);
  const { data, isLoading, refetch } = useQuery({
    queryKey: ["life", slug, uid],
    queryFn: ({ signal }) => send(getPodLife(slug, namespace, name, uid), signal),
    refetchInterval: sleeps ? SLEEPER_LOOK_MS : false,
    refetchOnMount: "always",
    retry: false,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: `news` is what it is asked anew for
  useEffect(() => void refetch(), [news, refetch]);
  return { life: data, streamed, loading: isLoading };
}

const isAsleep = (queue: string | undefined) => queue === "unschedulablePods" || queue === "gated";

function useStreamedMoves(uid: string): readonly QueueMove[] {
  const moves = useCluster((state) => state.moves);
  return useMemo(() => moves.filter(({ move }) => move.pod.uid === uid).map(({ move }) => move), [moves, uid]);
}

/** Another text whenever the pod moved, was tried, or its binding went on. */
function useNews(uid: string, streamed: readonly QueueMove[]): string {
  const tried = useCluster((state) => state.decisions.findLast(({ pod }) => pod.uid === uid)?.sequence);
  const phase = useCluster((state) => state.bindings.get(uid)?.phase);
  const last = streamed.at(-1);
  return [streamed.length, last?.at, last?.target, tried, phase].join(" ");
}
