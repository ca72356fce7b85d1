/** Where each kind of workload lives, and which of them can be scaled. */
import type { WorkloadCard } from "../../model/messages.generated";
import { own } from "../../model/own";
import { DEPLOYMENTS, type Resource } from "../../transport/api";

const APPS = "apps/v1";

const RESOURCES: Readonly<Record<string, Resource>> = {
  Deployment: DEPLOYMENTS,
  ReplicaSet: { apiVersion: APPS, plural: "replicasets", namespaced: true },
  StatefulSet: { apiVersion: APPS, plural: "statefulsets", namespaced: true },
  DaemonSet: { apiVersion: APPS, plural: "daemonsets", namespaced: true },
  Job: { apiVersion: "batch/v1", plural: "jobs", namespaced: true },
};

export const resourceOfWorkload = (kind: string): Resource | undefined => own(RESOURCES, kind);

const SCALABLE: ReadonlySet<string> = new Set(["Deployment", "ReplicaSet", "StatefulSet"]);

export const isScalable = (workload: WorkloadCard): boolean => SCALABLE.has(workload.workload_kind);
