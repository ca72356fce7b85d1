/** What the scheduler says of every node for these pods, those that fit first and the best of them on top. */
import { useQuery } from "@tanstack/react-query";
import type { DraggedPod } from "../../interaction/drag";
import { MOST_ASKED, togetherOn } from "../../interaction/verdicts_of_many";
import { compareNames } from "../../model/names";
import { wouldFit } from "../../transport/api";
import type { NodeVerdict } from "../../transport/api_types";
import { asApiError } from "../../transport/errors";
import { send } from "../../transport/rest";

const NONE: readonly NodeVerdict[] = [];

export function useVerdicts(cluster: string, pods: readonly DraggedPod[]) {
  const asked = pods.slice(0, MOST_ASKED);
  const { data, error, isPending } = useQuery({
    queryKey: ["verdicts", cluster, asked.map(({ uid }) => uid)],
    queryFn: async ({ signal }) => sorted(await verdictsOf(cluster, asked, signal)),
    enabled: asked.length > 0,
    gcTime: 0,
    staleTime: 0,
    retry: 1,
  });
  return { nodes: data ?? NONE, isAsking: isPending, error: error ? asApiError(error) : undefined };
}

export async function verdictsOf(cluster: string, pods: readonly DraggedPod[], signal?: AbortSignal) {
  const asked = pods.slice(0, MOST_ASKED);
  const answers = await Promise.all(
    asked.map(({ namespace, name }) => send(wouldFit(cluster, { namespace, name }), signal)),
  );
  return togetherOn(answers.map(({ nodes }) => nodes));
}

function sorted(byNode: ReadonlyMap<string, NodeVerdict>): readonly NodeVerdict[] {
  return [...byNode.values()].sort(
    (a, b) => Number(b.fits) - Number(a.fits) || (b.score ?? 0) - (a.score ?? 0) || compareNames(a.node, b.node),
  );
}
