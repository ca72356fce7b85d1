/** Who holds a pod at Permit: its PodGroup, or else the plugins that its attempt names, which are asked for once. */
import { useQuery } from "@tanstack/react-query";
import { useCluster, useClusterSlug } from "../../app/cluster_context";
import { decisionQuery } from "../../app/decision_query";
import type { CycleReport } from "../../model/messages.generated";
import { podGroupOf } from "../../model/pod_group";

export function PermitHolder({ uid }: { readonly uid: string }) {
  const group = useCluster((state) => podGroupOf(state.pods.get(uid)));
  const sequence = useCluster((state) => state.decisions.findLast(({ pod }) => pod.uid === uid)?.sequence);
  // What follows is the node.
  if (group) return `${group} `;
  return sequence === undefined ? null : <Plugins sequence={sequence} />;
}

function Plugins({ sequence }: { readonly sequence: number }) {
  const slug = useClusterSlug();
  const { data } = useQuery({ ...decisionQuery(slug, sequence), select: whoWaits, retry: false });
  return data ? `${data} ` : null;
}

function whoWaits({ points }: CycleReport): string {
  const permit = points.find(({ point }) => point === "permit");
  const waiting = (permit?.plugins ?? []).filter(({ status }) => status.code === "Wait");
  return waiting.map(({ name }) => name).join(", ");
}
