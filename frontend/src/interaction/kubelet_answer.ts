/**
 * What the kubelet does with a pod that is bound by hand to a node the scheduler rejects.
 *
 * A kubelet checks less than the scheduler: resources, ports, node affinity and NoExecute taints
 * at admission; a pod that fails there becomes Failed with the reason below and is not moved
 * elsewhere. Everything else (spread, pod affinity, cordon, NoSchedule taints) it does not look
 * at, so the pod runs.
 */
import type { NodeVerdict } from "../transport/api_types";

export type KubeletAnswer =
  | { readonly kind: "rejects"; readonly reason: string }
  | { readonly kind: "runs" }
  | { readonly kind: "unknown" };

const INSUFFICIENT = "Insufficient ";

export function kubeletAnswer(verdict: NodeVerdict | undefined, taintEffects: readonly string[]): KubeletAnswer {
  switch (verdict?.plugin) {
    case undefined:
      return { kind: "unknown" };
    case "NodeResourcesFit":
      return { kind: "rejects", reason: outOf(verdict.reasons[0] ?? "") };
    case "NodeAffinity":
    case "NodePorts":
    case "NodeName":
      return { kind: "rejects", reason: verdict.plugin };
    case "TaintToleration":
      return taintEffects.includes("NoExecute") ? { kind: "rejects", reason: "TaintToleration" } : { kind: "runs" };
    default:
      return { kind: "runs" };
  }
}

function outOf(reason: string): string {
  if (reason.startsWith(INSUFFICIENT)) return `OutOf${reason.slice(INSUFFICIENT.length)}`;
  return reason === "Too many pods" ? "OutOfpods" : "UnexpectedAdmissionError";
}
