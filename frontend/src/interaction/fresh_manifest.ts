/**
 * Manifests of objects that were, ready to be created again; pods that may only run on one node.
 *
 * A pod made anew has no owner: whoever owned it has seen it go and made another.
 */
import type { Manifest } from "../transport/api_types";

/** What the API server gives an object itself. */
const SET_BY_SERVER: ReadonlySet<string> = new Set([
  "uid",
  "resourceVersion",
  "creationTimestamp",
  "generation",
  "managedFields",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
  "ownerReferences",
  "selfLink",
]);

/** Admission computes these anew from the priority class. */
const SET_BY_ADMISSION: ReadonlySet<string> = new Set(["nodeName", "priority", "preemptionPolicy"]);

type Fields = Readonly<Record<string, unknown>>;

const without = (fields: Fields | undefined, names: ReadonlySet<string>): Fields =>
  Object.fromEntries(Object.entries(fields ?? {}).filter(([name]) => !names.has(name)));

/** `node`: where it is to be from the start; "" leaves that to the scheduler. */
export function freshPod({ status: _, ...pod }: Manifest, node = ""): Manifest {
  const spec = { ...without(pod.spec, SET_BY_ADMISSION), ...(node ? { nodeName: node } : {}) };
  return { ...pod, metadata: without({ ...pod.metadata }, SET_BY_SERVER), spec };
}

export function freshNode(node: Manifest): Manifest {
  return { ...node, metadata: without({ ...node.metadata }, SET_BY_SERVER) };
}

/** Labels that tie a pod to its controller: a copy that kept them would be taken over. */
const OWN_LABELS = ["pod-template-hash", "controller-revision-hash", "statefulset.kubernetes.io/pod-name"];
const LONGEST_PREFIX = 50;

/** A copy of a pod that may only run on `node`; the server names it. */
export function pinnedCopy(pod: Manifest, node: string): Manifest {
  const { metadata, ...fresh } = freshPod(pod);
  const labels = without(metadata.labels, new Set(OWN_LABELS)) as Record<string, string>;
  const { name = "pod", uid: _, ...others } = metadata;
  return pinned({ ...fresh, metadata: { ...others, labels, generateName: `${name.slice(0, LONGEST_PREFIX)}-` } }, node);
}

const REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";

interface Term {
  readonly matchFields?: readonly { readonly key: string }[];
  readonly [part: string]: unknown;
}

/** Each term of the pod's own node affinity asks for this node too. */
export function pinned(pod: Manifest, node: string): Manifest {
  const affinity = (pod.spec?.affinity ?? {}) as Fields;
  const nodeAffinity = (affinity.nodeAffinity ?? {}) as Fields;
  const required = (nodeAffinity[REQUIRED] ?? {}) as { readonly nodeSelectorTerms?: readonly Term[] };
  const named = { key: "metadata.name", operator: "In", values: [node] };
  const nodeSelectorTerms = (required.nodeSelectorTerms ?? [{}]).map((term) => ({
    ...term,
    matchFields: [...(term.matchFields ?? []).filter(({ key }) => key !== named.key), named],
  }));
  return {
    ...pod,
    spec: {
      ...pod.spec,
      affinity: { ...affinity, nodeAffinity: { ...nodeAffinity, [REQUIRED]: { nodeSelectorTerms } } },
    },
  };
}
