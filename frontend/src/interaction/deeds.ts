/**
 * What a hand asks for, as a value: a drop, a menu, a form and a key make the same deeds.
 *
 * A deed names things by their names, so that it can be done again after it was undone.
 */
import type { PodRef } from "../model/messages.generated";
import type { Drain, Manifest } from "../transport/api_types";
import { markText } from "./marks";
import type { NodeEdit } from "./node_patch";

export type PodName = Pick<PodRef, "namespace" | "name">;

export type Deed =
  | { readonly kind: "create"; readonly of: "Pod" | "Node"; readonly manifest: Manifest; readonly node?: string }
  /** A Binding by hand: no scheduler is asked. */
  | { readonly kind: "bind"; readonly pods: readonly PodName[]; readonly node: string }
  /** A pending pod is replaced by a copy with nodeAffinity: the scheduler decides, and may say no. */
  | { readonly kind: "pin"; readonly pods: readonly PodName[]; readonly node: string }
  /** A running pod is evicted, and a copy with nodeAffinity made. */
  | { readonly kind: "move"; readonly pods: readonly PodName[]; readonly node: string }
  | { readonly kind: "delete_pods"; readonly pods: readonly PodName[] }
  | { readonly kind: "edit_nodes"; readonly names: readonly string[]; readonly edit: NodeEdit }
  | { readonly kind: "drain"; readonly names: readonly string[]; readonly options: Drain }
  | { readonly kind: "cancel_drain"; readonly names: readonly string[] }
  | { readonly kind: "fail"; readonly names: readonly string[] }
  | { readonly kind: "recover"; readonly names: readonly string[] }
  | { readonly kind: "delete_nodes"; readonly names: readonly string[] };

/** As a person would type it; "" where kubectl has no word for it, and the HTTP line has to do. */
export function kubectlLine(deed: Deed): string {
  switch (deed.kind) {
    case "delete_pods":
      return byNamespace(deed.pods)
        .map(([namespace, names]) => `kubectl delete pod -n ${namespace} ${names.join(" ")}`)
        .join("\n");
    case "edit_nodes":
      return editLine(deed.names, deed.edit);
    case "drain":
      return `kubectl drain ${deed.names.join(" ")}${drainFlags(deed.options)}`;
    case "delete_nodes":
      return `kubectl delete node ${deed.names.join(" ")}`;
    default:
      return "";
  }
}

function byNamespace(pods: readonly PodName[]): readonly (readonly [string, readonly string[]])[] {
  const found = new Map<string, string[]>();
  for (const { namespace, name } of pods) found.set(namespace, [...(found.get(namespace) ?? []), name]);
  return [...found];
}

function editLine(names: readonly string[], edit: NodeEdit): string {
  const nodes = names.join(" ");
  switch (edit.kind) {
    case "cordon":
      return `kubectl ${edit.unschedulable ? "cordon" : "uncordon"} ${nodes}`;
    case "label":
      return labelLine(nodes, edit.key, edit.value);
    case "allocatable":
      return patchLine(names, { status: { allocatable: { [edit.resource]: edit.quantity } } });
    default:
      return markLine(nodes, edit);
  }
}

const labelLine = (nodes: string, key: string, value: string | null): string =>
  `kubectl label nodes ${nodes} ${value === null ? `${key}-` : `${key}=${value} --overwrite`}`;

const patchLine = (names: readonly string[], patch: unknown): string =>
  names
    .map((name) => `kubectl patch node ${name} --subresource=status --type=merge -p '${JSON.stringify(patch)}'`)
    .join("\n");

function markLine(nodes: string, { kind, mark }: Extract<NodeEdit, { kind: "put" | "remove" }>): string {
  const put = kind === "put";
  if (mark.kind === "label") return labelLine(nodes, mark.label.key, put ? mark.label.value : null);
  // Images are what a node reports: kubectl patches the whole list only.
  if (mark.kind === "image") return "";
  return `kubectl taint nodes ${nodes} ${markText(mark)}${put ? " --overwrite" : "-"}`;
}

export function drainFlags(options: Drain): string {
  const flags = [
    options.ignore_daemonsets && "--ignore-daemonsets",
    options.delete_emptydir_data && "--delete-emptydir-data",
    options.force && "--force",
    options.timeout ? `--timeout=${options.timeout}s` : "",
  ].filter(Boolean);
  return flags.map((flag) => ` ${flag}`).join("");
}
