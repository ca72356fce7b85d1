/** Where Kubernetes explains its extension points and plugins. */
import { own } from "./own";

const SITE = "https://kubernetes.io/docs";
const CONCEPTS = `${SITE}/concepts/scheduling-eviction`;
const STORAGE = `${SITE}/concepts/storage`;

/** Headings of the page about the scheduling framework. */
const POINTS: Readonly<Record<string, string>> = {
  preEnqueue: "preenqueue",
  queueSort: "queue-sort",
  preFilter: "pre-filter",
  filter: "filter",
  postFilter: "post-filter",
  preScore: "pre-score",
  score: "scoring",
  reserve: "reserve",
  permit: "permit",
  preBind: "pre-bind",
  bind: "bind",
  postBind: "post-bind",
};

const PLUGINS: Readonly<Record<string, string>> = {
  SchedulingGates: `${CONCEPTS}/pod-scheduling-readiness/`,
  NodeUnschedulable: `${SITE}/concepts/architecture/nodes/#manual-node-administration`,
  NodeName: `${CONCEPTS}/assign-pod-node/#nodename`,
  TaintToleration: `${CONCEPTS}/taint-and-toleration/`,
  NodeAffinity: `${CONCEPTS}/assign-pod-node/#node-affinity`,
  NodeResourcesFit: `${CONCEPTS}/resource-bin-packing/`,
  PodTopologySpread: `${CONCEPTS}/topology-spread-constraints/`,
  InterPodAffinity: `${CONCEPTS}/assign-pod-node/#inter-pod-affinity-and-anti-affinity`,
  NodeVolumeLimits: `${STORAGE}/storage-limits/`,
  VolumeBinding: `${STORAGE}/storage-classes/#volume-binding-mode`,
  VolumeRestrictions: `${STORAGE}/persistent-volumes/#access-modes`,
  DynamicResources: `${CONCEPTS}/dynamic-resource-allocation/`,
  DefaultPreemption: `${CONCEPTS}/pod-priority-preemption/#preemption`,
  PrioritySort: `${CONCEPTS}/pod-priority-preemption/#pod-priority`,
};

/** undefined where Kubernetes has no page of it: a plugin of somebody's own. */
export const pageOfPoint = (point: string): string | undefined =>
  own(POINTS, point) && `${CONCEPTS}/scheduling-framework/#${own(POINTS, point)}`;

export const pageOfPlugin = (plugin: string, known: boolean): string | undefined =>
  own(PLUGINS, plugin) ?? (known ? `${SITE}/reference/scheduling/config/#scheduling-plugins` : undefined);
