/** What the start page reads. The list refreshes by itself: clusters change in other windows too. */
import { queryOptions } from "@tanstack/react-query";
import { listClusters, listPresets } from "../../transport/api";
import type { ListedCluster } from "../../transport/api_types";
import { send } from "../../transport/rest";

export const clustersQuery = queryOptions({
  queryKey: ["clusters"],
  queryFn: async ({ signal }): Promise<readonly ListedCluster[]> => {
    return (await send(listClusters(), signal)).results;
  },
  refetchInterval: 10_000,
  refetchOnMount: "always",
});

export const presetsQuery = queryOptions({
  queryKey: ["presets"],
  queryFn: ({ signal }) => send(listPresets(), signal),
  staleTime: Number.POSITIVE_INFINITY,
});
