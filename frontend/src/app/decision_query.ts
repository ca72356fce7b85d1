/** A stored decision, read once for all who show it. */
import { queryOptions } from "@tanstack/react-query";
import { getDecision } from "../transport/api";
import { send } from "../transport/rest";

/** Of thousands of nodes it is a megabyte, and a busy cluster has a new one every second: what nobody shows is let go soon. */
const KEPT_MS = 10_000;

export const decisionQuery = (cluster: string, sequence: number) =>
  queryOptions({
    queryKey: ["decision", cluster, sequence],
    queryFn: ({ signal }) => send(getDecision(cluster, sequence), signal),
    // A decision that was made never changes.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: KEPT_MS,
  });
