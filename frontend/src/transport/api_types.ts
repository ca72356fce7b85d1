/**
 * Types of the REST API, by hand until the OpenAPI schema has each of them.
 *
 * Manifests are Kubernetes objects: their shape is the API server's business, the page reads only
 * the fields named here.
 */
import type { ClusterCard, DecisionSummary, QueuedPodCard, StatusReport } from "../model/messages.generated";

export interface ObjectMeta {
  readonly name?: string;
  readonly generateName?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** A Kubernetes object as JSON. */
export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta;
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly status?: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

export interface ClusterSummary extends ClusterCard {
  readonly nodes?: number;
  readonly pods?: number;
}

export interface Preset {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly nodes: number;
  readonly pods: number;
}

export interface Template {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly kind: "Pod" | "Node";
  readonly manifest: Manifest;
}

export interface NodeVerdict {
  readonly node: string;
  readonly fits: boolean;
  /** The first plugin that rejects the pod, "" where it fits. */
  readonly plugin: string;
  readonly code: string;
  readonly reasons: readonly string[];
  readonly score: number | null;
  /** With `explain`: every plugin that rejects the node, not only the first. */
  readonly rejections?: readonly StatusReport[];
}

export interface WouldFit {
  readonly nodes: readonly NodeVerdict[];
}

export type ApplyOutcome = "created" | "configured" | "unchanged" | "error";

export interface ApplyResult {
  readonly document: number;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly result: ApplyOutcome;
  readonly error?: { readonly path: string; readonly message: string; readonly line?: number | null } | null;
}

export interface ApplyAnswer {
  readonly results: readonly ApplyResult[];
}

export interface QueueAnswer {
  readonly queues: Readonly<Record<string, readonly QueuedPodCard[]>>;
}

export interface Page<T> {
  readonly count?: number;
  readonly next: string | null;
  readonly previous?: string | null;
  readonly results: readonly T[];
}

export type DecisionPage = Page<DecisionSummary>;
