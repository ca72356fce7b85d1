/**
 * Types of the REST API: those of the OpenAPI schema, and a little more where it says less.
 *
 * Manifests are Kubernetes objects: their shape is the API server's business, the page reads only
 * the fields named here.
 */
import type { DecisionSummary } from "../model/messages.generated";
import type * as openapi from "./openapi.generated";

export type {
  ApplyAnswer,
  ApplyResult,
  ClusterSummary,
  DeleteAnswer,
  Drain,
  DrainAnswer,
  LifeEntry,
  ListedCluster,
  MovedPod,
  NewCluster,
  NodePatchAnswer,
  NodeVerdict,
  PodLife,
  Preset,
  ProfilesAnswer,
  StepAnswer,
  WouldFitAnswer as WouldFit,
} from "./openapi.generated";

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

export interface Template extends Omit<openapi.Template, "manifest"> {
  readonly manifest: Manifest;
}

export type ClusterSettings = openapi.Settings;

/** Numbers as they were typed where they are none: the server names the field. */
export type SettingsPatch = { readonly [Name in keyof openapi.PatchedSettings]?: unknown };

export interface Page<T> {
  readonly count?: number;
  readonly next: string | null;
  readonly previous?: string | null;
  readonly results: readonly T[];
}

export type DecisionPage = Page<DecisionSummary>;
