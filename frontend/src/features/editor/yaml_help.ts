/**
 * What an editor of YAML knows about the documents in it: the outline of each kind.
 *
 * Outlines are read from the server when the first document of their kind is written, and kept.
 * Without an answer (the server is away) nothing is offered, and nothing else fails.
 */
import type { Outline } from "../../model/outline";
import { getConfigurationOutline, getOutline, type KindCard, listKinds } from "../../transport/extension_api";
import { type ApiRequest, send } from "../../transport/rest";

export interface YamlHelp {
  /** Of a document of this kind; undefined where none is known. */
  readonly outlineOf: (kind: string | undefined) => Promise<Outline | undefined>;
  /** Kinds that a document may be of; none where there is no choice. */
  readonly kinds: () => Promise<readonly KindCard[]>;
}

/** A request that is sent once; a failure is forgotten, so that it is tried again. */
function kept<T>(asked: ApiRequest<T>): () => Promise<T | undefined> {
  let answer: Promise<T | undefined> | undefined;
  return () => {
    answer ??= send(asked).catch(() => {
      answer = undefined;
      return undefined;
    });
    return answer;
  };
}

const kindList = kept(listKinds());
const outlines = new Map<string, () => Promise<Outline | undefined>>();

async function outlineOfKind(kind: string | undefined): Promise<Outline | undefined> {
  const known = (await kindList())?.kinds.some((each) => each.kind === kind);
  if (!kind || !known) return undefined;
  const read = outlines.get(kind) ?? kept(getOutline(kind));
  outlines.set(kind, read);
  return read();
}

/** Manifests of every kind that a cluster may hold. */
export const manifestHelp: YamlHelp = {
  outlineOf: outlineOfKind,
  kinds: async () => (await kindList())?.kinds ?? [],
};

/** A KubeSchedulerConfiguration with the plugins of this cluster; read anew for each editor, for plugins come and go. */
export function configurationHelp(cluster: string): YamlHelp {
  const outline = kept(getConfigurationOutline(cluster));
  return { outlineOf: outline, kinds: async () => [] };
}
