/**
 * What the kubelet does with a pod that is bound by hand to a node the scheduler rejects.
 *
 * A kubelet checks less than the scheduler: resources (but not an extended resource that its node
 * has none of at all), required node affinity, the node's name, host ports and NoExecute taints. A pod that fails there becomes
 * Failed with the reason below and is not moved elsewhere. Everything else (spread, pod affinity,
 * cordon, NoSchedule taints) it does not look at, so the pod runs.
 */
import type { StatusReport } from "../model/messages.generated";

export type KubeletAnswer =
  | { readonly kind: "rejects"; readonly reason: string }
  | { readonly kind: "runs" }
  | { readonly kind: "unknown" };

/** The part of a node that the kubelet's check looks at. */
export interface AdmittingNode {
  readonly allocatable: Readonly<Record<string, number>>;
  readonly taints: readonly { readonly effect: string }[];
}

/** `rejections`: every plugin that rejects the node; undefined while that is not known. */
export function kubeletAnswer(rejections: readonly StatusReport[] | undefined, node: AdmittingNode): KubeletAnswer {
  if (!rejections || rejections.length === 0) return { kind: "unknown" };
  for (const rejection of rejections) {
    const reason = reasonOf(rejection, node);
    if (reason) return { kind: "rejects", reason };
  }
  return { kind: "runs" };
}

function reasonOf({ plugin, reasons }: StatusReport, node: AdmittingNode): string | undefined {
  switch (plugin) {
    case "NodeResourcesFit":
      return reasons.map((reason) => outOf(reason, node)).find((reason) => reason !== undefined);
    case "NodeAffinity":
    case "NodePorts":
    case "NodeName":
      return plugin;
    case "TaintToleration":
      return node.taints.some(({ effect }) => effect === "NoExecute") ? plugin : undefined;
    default:
      return undefined;
  }
}

const INSUFFICIENT = "Insufficient ";

function outOf(reason: string, { allocatable }: AdmittingNode): string | undefined {
  if (reason === "Too many pods") return "OutOfpods";
  if (!reason.startsWith(INSUFFICIENT)) return undefined;
  const resource = reason.slice(INSUFFICIENT.length);
  const isExtended = resource.includes("/");
  return isExtended && !(resource in allocatable) ? undefined : `OutOf${resource}`;
}
