/** Who holds a pod at Permit: its PodGroup, or else the plugins that its attempt names, which are asked for once. */
import { useQuery } from "@tanstack/react-query";
import { useCluster, useClusterSlug } from "../../app/cluster_context";
import { podGroupOf } from "../../model/pod_group";
import { getDecision } from "../../transport/api";
import { send } from "../../transport/rest";

export function PermitHolder({ uid }: { readonly uid: string }) {
  const group = useCluster((state) => podGroupOf(state.pods.get(uid)));
  const sequence = useCluster((state) => state.decisions.findLast(({ pod }) => pod.uid === uid)?.sequence);
  // What follows is the node.
  if (group) return `${group} `;
  return sequence === undefined ? null : <Plugins sequence={sequence} />;
}

function Plugins({ sequence }: { readonly sequence: number }) {
  const slug = useClusterSlug();
  const { data = "" } = useQuery({
    queryKey: ["permit", slug, sequence],
    queryFn: async ({ signal }) => {
      const { points } = await send(getDecision(slug, sequence), signal);
      const permit = points.find(({ point }) => point === "permit");
      return (permit?.plugins ?? [])
        .filter(({ status }) => status.code === "Wait")
        .map(({ name }) => name)
        .join(", ");
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  return data && `${data} `;
}
