/** A template's manifest, ready to be created any number of times. */
import type { Manifest, Template } from "../transport/api_types";

/** The server makes the name: a fixed one would be taken at the second drop. */
export function manifestOf({ id, manifest }: Template): Manifest {
  const { name, generateName, ...metadata } = manifest.metadata;
  return { ...manifest, metadata: { ...metadata, generateName: generateName ?? `${name ?? id}-` } };
}

/** A pod that is created with its node: no scheduler ever sees it. */
export function onNode(manifest: Manifest, node: string): Manifest {
  return { ...manifest, spec: { ...manifest.spec, nodeName: node } };
}
