/**
 * What the page asks about schedulers, their configurations, plugins in CEL, and the kinds of objects.
 *
 * Requests are values here as in `api.ts`.
 */
import type {
  CelCheck,
  CelExamples,
  CelPluginDefinition,
  CelPluginList,
  KindList,
  Outline,
  ProfilesAnswer,
  SchedulerCard,
  SchedulersAnswer,
} from "./openapi.generated";
import { request } from "./rest";

export type {
  CelCheck,
  CelExamples,
  CelNodePreview,
  CelPluginDefinition,
  ConfigurationChange,
  EffectiveProfile,
  KindCard,
  LeaseCard,
  ReplicaCard,
  SchedulerCard,
} from "./openapi.generated";

const part = encodeURIComponent;
const clusterPath = (cluster: string) => `/api/clusters/${part(cluster)}`;
const schedulerPath = (cluster: string, name: string) => `${clusterPath(cluster)}/schedulers/${part(name)}`;

// Kinds of objects

export const listKinds = () => request<KindList>("GET", "/api/kinds/");
export const getOutline = (kind: string) => request<Outline>("GET", `/api/kinds/${part(kind)}/outline/`);
/** Of a KubeSchedulerConfiguration, with the plugins that this cluster has. */
export const getConfigurationOutline = (cluster: string) =>
  request<Outline>("GET", `${clusterPath(cluster)}/profiles/outline/`);

// Schedulers

export type ReplicaAction = "start" | "stop" | "kill";

export const listSchedulers = (cluster: string) =>
  request<SchedulersAnswer>("GET", `${clusterPath(cluster)}/schedulers/`);
export const deployScheduler = (cluster: string, wanted: { readonly name: string; readonly replicas: number }) =>
  request<SchedulerCard>("POST", `${clusterPath(cluster)}/schedulers/`, {
    ...wanted,
    // With the default resourceName it would only stand by for the first scheduler.
    document: {
      apiVersion: "kubescheduler.config.k8s.io/v1",
      kind: "KubeSchedulerConfiguration",
      leaderElection: { resourceName: wanted.name },
      profiles: [{ schedulerName: wanted.name }],
    },
  });
export const scaleScheduler = (cluster: string, name: string, replicas: number) =>
  request<SchedulerCard>("PATCH", `${schedulerPath(cluster, name)}/`, { replicas });
export const removeScheduler = (cluster: string, name: string) =>
  request<void>("DELETE", `${schedulerPath(cluster, name)}/`);
export const actOnReplica = (cluster: string, name: string, number: number, action: ReplicaAction) =>
  request<SchedulerCard>("POST", `${schedulerPath(cluster, name)}/replicas/${number}/${action}/`, {});

export const getConfiguration = (cluster: string, scheduler: string) =>
  request<ProfilesAnswer>("GET", `${schedulerPath(cluster, scheduler)}/profiles/`);
/** The document as it stands in the editor: the server reads YAML. A dry run checks and compares only. */
export const putConfiguration = (cluster: string, scheduler: string, yaml: string, dryRun: boolean) =>
  request<ProfilesAnswer>(
    "PUT",
    `${schedulerPath(cluster, scheduler)}/profiles/${dryRun ? "?dry_run=true" : ""}`,
    yaml,
    "application/yaml",
  );
/** The same with the document as a value. */
export const putConfigurationDocument = (
  cluster: string,
  scheduler: string,
  document: Readonly<Record<string, unknown>>,
  dryRun: boolean,
) =>
  request<ProfilesAnswer>("PUT", `${schedulerPath(cluster, scheduler)}/profiles/${dryRun ? "?dry_run=true" : ""}`, {
    document,
  });

// Plugins in CEL

const celPath = (cluster: string) => `${clusterPath(cluster)}/cel-plugins/`;

export const listCelPlugins = (cluster: string) => request<CelPluginList>("GET", celPath(cluster));
export const listCelExamples = () => request<CelExamples>("GET", "/api/cel-examples/");
export const createCelPlugin = (cluster: string, plugin: CelPluginDefinition) =>
  request<CelPluginDefinition>("POST", celPath(cluster), plugin);
export const replaceCelPlugin = (cluster: string, plugin: CelPluginDefinition) =>
  request<CelPluginDefinition>("PUT", `${celPath(cluster)}${part(plugin.name)}/`, plugin);
export const deleteCelPlugin = (cluster: string, name: string) =>
  request<void>("DELETE", `${celPath(cluster)}${part(name)}/`);

export interface PodName {
  readonly namespace: string;
  readonly name: string;
}

/** Without a pod it is compiled only; with one it also tells what it says about every node. */
export const checkCelPlugin = (cluster: string, plugin: CelPluginDefinition, pod: PodName | undefined) =>
  request<CelCheck>("POST", `${celPath(cluster)}check/`, {
    ...plugin,
    ...(pod ? { pod_namespace: pod.namespace, pod_name: pod.name } : {}),
  });
