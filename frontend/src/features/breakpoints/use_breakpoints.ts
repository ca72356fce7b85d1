/** The cluster's breakpoints; a hit has counted one of them up, so each is asked for anew. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useCluster, useClusterSlug } from "../../app/cluster_context";
import { listBreakpoints } from "../../transport/history_api";
import { send } from "../../transport/rest";

/** Of the answers after every hit. */
export const breakpointsKey = (cluster: string) => ["breakpoints", cluster];

export function useBreakpoints() {
  const slug = useClusterSlug();
  const hit = useCluster(({ cluster }) => cluster.paused_by);
  return useQuery({
    queryKey: [...breakpointsKey(slug), hit],
    queryFn: async ({ signal }) => (await send(listBreakpoints(slug), signal)).breakpoints,
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
}
