/**
 * Other weights, written into a KubeSchedulerConfiguration.
 *
 * Where a profile names the plugin at the score point, that entry decides, so it is changed there;
 * otherwise the plugin's entry under multiPoint is, or a new one is written there, which replaces the
 * default's. A weight of 0 means the default to Kubernetes; who wants a plugin not to count disables it
 * at the score point. Everything else in the document stays as it is.
 */
import type { Weights } from "./rescore";

export type Document = Readonly<Record<string, unknown>>;

interface PluginEntry {
  readonly name: string;
  readonly weight?: number;
}

interface PluginSet {
  readonly enabled?: readonly PluginEntry[];
  readonly disabled?: readonly PluginEntry[];
}

interface ProfileDocument {
  readonly schedulerName?: string;
  readonly plugins?: { readonly multiPoint?: PluginSet; readonly score?: PluginSet };
}

const DEFAULT_NAME = "default-scheduler";

/** Only the weights that are named are written. */
export function withWeights(configuration: Document, schedulerName: string, weights: Weights): Document {
  const profiles = profilesOf(configuration);
  const known = profiles.some((profile) => nameOf(profile) === schedulerName);
  const all = known ? profiles : [...profiles, { schedulerName }];
  return {
    ...configuration,
    profiles: all.map((profile) => (nameOf(profile) === schedulerName ? reweighed(profile, weights) : profile)),
  };
}

const nameOf = ({ schedulerName }: ProfileDocument): string => schedulerName ?? DEFAULT_NAME;

/** What the server stored was checked against the schema: only the type is told here. */
function profilesOf(configuration: Document): readonly ProfileDocument[] {
  return Array.isArray(configuration.profiles) ? (configuration.profiles as readonly ProfileDocument[]) : [];
}

function reweighed(profile: ProfileDocument, weights: Weights): ProfileDocument {
  return Object.entries(weights).reduce((done, [name, weight]) => withWeight(done, name, weight), profile);
}

function withWeight(profile: ProfileDocument, name: string, weight: number): ProfileDocument {
  const { score, multiPoint } = profile.plugins ?? {};
  const plugins = { ...profile.plugins };
  if (weight === 0) plugins.score = withoutPlugin(score ?? {}, name);
  else if (has(score?.enabled, name)) plugins.score = { ...score, enabled: put(score?.enabled, name, weight) };
  else {
    plugins.multiPoint = { ...multiPoint, enabled: put(multiPoint?.enabled, name, weight) };
    if (has(score?.disabled, name)) plugins.score = { ...score, disabled: drop(score?.disabled, name) };
  }
  return { ...profile, plugins };
}

function withoutPlugin(score: PluginSet, name: string): PluginSet {
  const { enabled, ...rest } = score;
  const left = drop(enabled, name);
  const disabled = [...drop(score.disabled, name), { name }];
  return left.length > 0 ? { ...rest, enabled: left, disabled } : { ...rest, disabled };
}

const has = (entries: readonly PluginEntry[] | undefined, name: string): boolean =>
  entries?.some((entry) => entry.name === name) ?? false;

const drop = (entries: readonly PluginEntry[] = [], name: string): readonly PluginEntry[] =>
  entries.filter((entry) => entry.name !== name);

function put(entries: readonly PluginEntry[] = [], name: string, weight: number): readonly PluginEntry[] {
  if (!has(entries, name)) return [...entries, { name, weight }];
  return entries.map((entry) => (entry.name === name ? { ...entry, weight } : entry));
}
