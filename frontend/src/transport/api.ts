/**
 * Everything the page asks of the server, one function a request.
 *
 * `/k8s/` is Kubernetes' own API, `/api/` what Kubernetes has no word for. The functions only
 * describe requests; `rest.send` does them.
 */
import type { BindingCard, ClusterCard, CycleReport } from "../model/messages.generated";
import type {
  ApplyAnswer,
  ClusterSettings,
  ClusterSummary,
  DecisionPage,
  DeleteAnswer,
  Drain,
  DrainAnswer,
  ListedCluster,
  Manifest,
  MovedPod,
  NewCluster,
  NodePatchAnswer,
  Page,
  PodLife,
  Preset,
  SettingsPatch,
  StepAnswer,
  Template,
  WouldFit,
} from "./api_types";
import { type ApiRequest, request } from "./rest";

const MERGE_PATCH = "application/merge-patch+json";

const part = encodeURIComponent;
const query = (parameters: Readonly<Record<string, string | number | undefined>>): string => {
  const entries = Object.entries(parameters).filter(([, value]) => value !== undefined && value !== "");
  return entries.length === 0 ? "" : `?${new URLSearchParams(entries.map(([key, value]) => [key, String(value)]))}`;
};

// Clusters

export const listClusters = () => request<Page<ListedCluster>>("GET", "/api/clusters/?limit=1000");
export const listPresets = () => request<readonly Preset[]>("GET", "/api/presets/");
export const listTemplates = () => request<readonly Template[]>("GET", "/api/templates/");

export const createCluster = (cluster: NewCluster) => request<ClusterSummary>("POST", "/api/clusters/", cluster);
export const getCluster = (cluster: string) => request<ClusterSummary>("GET", `/api/clusters/${part(cluster)}/`);
export const deleteCluster = (cluster: string) => request<void>("DELETE", `/api/clusters/${part(cluster)}/`);

const act = <T>(cluster: string, action: string, body: unknown = {}): ApiRequest<T> =>
  request<T>("POST", `/api/clusters/${part(cluster)}/${action}/`, body);

export const pauseCluster = (cluster: string) => act<ClusterCard>(cluster, "pause");
export const resumeCluster = (cluster: string) => act<ClusterCard>(cluster, "resume");
export const stepCluster = (cluster: string) => act<StepAnswer>(cluster, "step");
export const setSpeed = (cluster: string, speed: number) => act<ClusterCard>(cluster, "speed", { speed });
export const applyYaml = (cluster: string, yaml: string) => act<ApplyAnswer>(cluster, "apply", { yaml });
export type PodToFit = { readonly namespace: string; readonly name: string } | { readonly pod: Manifest };

/** `explain` names every plugin that rejects a node, which costs more. */
export const wouldFit = (cluster: string, pod: PodToFit, explain = false) =>
  act<WouldFit>(cluster, "would-fit", explain ? { ...pod, explain } : pod);

export interface DecisionQuery {
  readonly namespace?: string;
  readonly pod?: string;
  readonly outcome?: string;
}

export const listDecisions = (cluster: string, asked: DecisionQuery = {}) =>
  request<DecisionPage>("GET", `/api/clusters/${part(cluster)}/decisions/${query({ ...asked })}`);
/** The cycle, and the binding cycle it caused, as far as it has come. */
export const getDecision = (cluster: string, sequence: number) =>
  request<CycleReport & { readonly binding: BindingCard | null }>(
    "GET",
    `/api/clusters/${part(cluster)}/decisions/${sequence}/`,
  );

/** Of the pod with this uid, which need not be the last one of the name. */
export const getPodLife = (cluster: string, namespace: string, name: string, uid: string) =>
  request<PodLife>(
    "GET",
    `/api/clusters/${part(cluster)}/pods/${part(namespace)}/${part(name)}/life/${query({ uid })}`,
  );

const settingsPath = (cluster: string) => `/api/clusters/${part(cluster)}/settings/`;

export const getSettings = (cluster: string) => request<ClusterSettings>("GET", settingsPath(cluster));
/** What is not named stays. */
export const patchSettings = (cluster: string, changes: SettingsPatch) =>
  request<ClusterSettings>("PATCH", settingsPath(cluster), changes);

// Kubernetes objects

/** Where objects of a kind live below /k8s/{cluster}. */
export interface Resource {
  /** "v1", "apps/v1", ... */
  readonly apiVersion: string;
  readonly plural: string;
  readonly namespaced: boolean;
}

export const PODS: Resource = { apiVersion: "v1", plural: "pods", namespaced: true };
export const NODES: Resource = { apiVersion: "v1", plural: "nodes", namespaced: false };
export const DEPLOYMENTS: Resource = { apiVersion: "apps/v1", plural: "deployments", namespaced: true };

export function collectionPath(cluster: string, resource: Resource, namespace = ""): string {
  const root = resource.apiVersion.includes("/") ? "apis" : "api";
  const scope = resource.namespaced && namespace ? `/namespaces/${part(namespace)}` : "";
  return `/k8s/${part(cluster)}/${root}/${resource.apiVersion}${scope}/${resource.plural}`;
}

export function objectPath(cluster: string, resource: Resource, namespace: string, name: string): string {
  return `${collectionPath(cluster, resource, namespace)}/${part(name)}`;
}

export const getObject = (cluster: string, resource: Resource, namespace: string, name: string) =>
  request<Manifest>("GET", objectPath(cluster, resource, namespace, name));
export const createObject = (cluster: string, resource: Resource, namespace: string, manifest: Manifest) =>
  request<Manifest>("POST", collectionPath(cluster, resource, namespace), manifest);
/** The object as YAML, as it stands in the editor: the server reads both. */
export const replaceYaml = (cluster: string, resource: Resource, namespace: string, name: string, yaml: string) =>
  request<Manifest>("PUT", objectPath(cluster, resource, namespace, name), yaml, "application/yaml");
export const deleteObject = (cluster: string, resource: Resource, namespace: string, name: string) =>
  request<unknown>("DELETE", objectPath(cluster, resource, namespace, name));

export const createPod = (cluster: string, namespace: string, manifest: Manifest) =>
  createObject(cluster, PODS, namespace, manifest);
export const createNode = (cluster: string, manifest: Manifest) => createObject(cluster, NODES, "", manifest);

/** Nodes like one manifest, all or none; they are called by `prefix` and the first free numbers. */
export const createNodes = (cluster: string, manifest: Manifest, count: number, prefix: string) =>
  request<{ readonly names: readonly string[] }>("POST", `/api/clusters/${part(cluster)}/nodes/batch-create/`, {
    manifest,
    count,
    prefix,
  });

// Many objects at once, and nodes as a whole

const nodePath = (cluster: string, name: string, action: string) =>
  `/api/clusters/${part(cluster)}/nodes/${part(name)}/${action}/`;

/** One merge patch for many nodes; the answer has the patches that undo it. */
export const patchNodes = (cluster: string, names: readonly string[], patch: unknown) =>
  request<NodePatchAnswer>("POST", `/api/clusters/${part(cluster)}/nodes/batch-patch/`, { names, patch });

export interface NamedObject {
  readonly kind: "Pod" | "Node";
  readonly namespace?: string;
  readonly name: string;
}

export const deleteObjects = (cluster: string, objects: readonly NamedObject[]) =>
  request<DeleteAnswer>("POST", `/api/clusters/${part(cluster)}/objects/batch-delete/`, { objects });

export const uncordonNode = (cluster: string, name: string) =>
  request<unknown>("POST", nodePath(cluster, name, "uncordon"), {});
export const failNode = (cluster: string, name: string) =>
  request<unknown>("POST", nodePath(cluster, name, "fail"), {});
export const recoverNode = (cluster: string, name: string) =>
  request<unknown>("POST", nodePath(cluster, name, "recover"), {});

export const readDrain = (cluster: string, name: string) =>
  request<DrainAnswer>("GET", nodePath(cluster, name, "drain"));
export const drainNode = (cluster: string, name: string, options: Drain) =>
  request<DrainAnswer>("POST", nodePath(cluster, name, "drain"), options);
export const cancelDrain = (cluster: string, name: string) =>
  request<DrainAnswer>("DELETE", nodePath(cluster, name, "drain"));

/** Evicts a running pod and makes a copy that may only run on another node. */
export const movePod = (cluster: string, namespace: string, name: string, node: string) =>
  request<MovedPod>("POST", `/api/clusters/${part(cluster)}/pods/${part(namespace)}/${part(name)}/move/`, { node });

/** At once, and only if it is still the pod with this uid. */
export const removePod = (cluster: string, namespace: string, name: string, uid: string) =>
  request<unknown>("DELETE", objectPath(cluster, PODS, namespace, name), {
    gracePeriodSeconds: 0,
    preconditions: { uid },
  });

export const listNodes = (cluster: string) =>
  request<{ readonly items: readonly Manifest[] }>("GET", collectionPath(cluster, NODES));

/** Binding by hand: what a scheduler does, done by a person. */
export const bindPod = (cluster: string, namespace: string, name: string, node: string) =>
  request<unknown>("POST", `${objectPath(cluster, PODS, namespace, name)}/binding`, {
    apiVersion: "v1",
    kind: "Binding",
    metadata: { name, namespace },
    target: { apiVersion: "v1", kind: "Node", name: node },
  });

/** `kubectl scale`: the scale subresource of any workload that has one. */
export const patchScale = (cluster: string, resource: Resource, namespace: string, name: string, replicas: number) =>
  request<Manifest>(
    "PATCH",
    `${objectPath(cluster, resource, namespace, name)}/scale`,
    { spec: { replicas } },
    MERGE_PATCH,
  );
