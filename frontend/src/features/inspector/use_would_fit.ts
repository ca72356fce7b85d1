/** What the scheduler says now of a pod on every node; asked when somebody wants to know. */
import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { useClusterSlug, useClusterStore } from "../../app/cluster_context";
import type { PodCard } from "../../model/messages.generated";
import { missingShare, type NearGroup, nearest } from "../../model/nearest";
import { loadOfNode, selectNodesByName } from "../../model/selectors";
import type { ClusterState } from "../../model/state";
import { wouldFit } from "../../transport/api";
import type { NodeVerdict } from "../../transport/api_types";
import { type ApiError, asApiError } from "../../transport/errors";
import { send } from "../../transport/rest";

export interface WouldFitNow {
  /** undefined: not asked, or not answered yet. */
  readonly verdicts: ReadonlyMap<string, NodeVerdict> | undefined;
  readonly fitting: readonly string[];
  readonly groups: readonly NearGroup[];
  /** urlPrefix of extenders that would have a say, and were left out of the question. */
  readonly extendersNotAsked: readonly string[];
  readonly asking: boolean;
  readonly error: ApiError | undefined;
  readonly ask: () => void;
}

export function useWouldFit(pod: PodCard, wanted: boolean): WouldFitNow {
  const slug = useClusterSlug();
  const store = useClusterStore();
  const { namespace, name, uid } = pod;
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ["would-fit", slug, uid],
    queryFn: ({ signal }) => send(wouldFit(slug, { namespace, name }, true), signal),
    enabled: wanted,
    retry: false,
    // The cluster moves on: nobody shall read yesterday's answer as today's.
    gcTime: 0,
  });
  useNews(wanted, refetch);
  return useMemo(() => {
    const state = store.get();
    return {
      verdicts: data && new Map(data.nodes.map((verdict) => [verdict.node, verdict])),
      fitting: data?.nodes.filter(({ fits }) => fits).map(({ node }) => node) ?? [],
      groups: data && state ? groupsOf(data.nodes, pod, state) : [],
      extendersNotAsked: data?.extenders_not_asked ?? [],
      asking: isFetching,
      error: error ? asApiError(error) : undefined,
      ask: () => void refetch(),
    };
  }, [data, error, isFetching, refetch, store, pod]);
}

const LEAST_PAUSE_MS = 800;

/** Asks again when nodes or what is on them changed; the more nodes, the less often. */
function useNews(wanted: boolean, ask: () => unknown): void {
  const store = useClusterStore();
  useEffect(() => {
    if (!wanted) return undefined;
    let seen = store.get();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = store.subscribe(() => {
      const state = store.get();
      if (timer !== undefined || (state?.nodes === seen?.nodes && state?.loads === seen?.loads)) return;
      seen = state;
      timer = setTimeout(
        () => {
          timer = undefined;
          ask();
        },
        LEAST_PAUSE_MS + (state?.nodes.size ?? 0),
      );
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [wanted, ask, store]);
}

function groupsOf(verdicts: readonly NodeVerdict[], pod: PodCard, state: ClusterState): readonly NearGroup[] {
  const nodes = selectNodesByName(state);
  const requests = { ...pod.requests, pods: 1 };
  const rejected = verdicts.filter(({ fits }) => !fits);
  return nearest(
    rejected.map(({ node, rejections }) => ({
      node,
      rejections,
      missing: missingShare(requests, nodes.get(node)?.allocatable ?? {}, loadOfNode(state, node).usage),
    })),
  );
}
