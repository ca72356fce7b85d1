/** Names for new clusters. */

/** `base`, or `base-2`, `base-3`, ...: the first that is not taken. */
export function freeName(base: string, taken: ReadonlySet<string>): string {
  if (!taken.has(base)) return base;
  let number = 2;
  while (taken.has(`${base}-${number}`)) number += 1;
  return `${base}-${number}`;
}

/** A file's or a kind configuration's name as a cluster name: lower case letters, digits and dashes. */
export function nameOf(text: string): string {
  const slug = text
    .toLowerCase()
    .replace(/\.(ya?ml|json)$/, "")
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 40)
    .replace(/-+$/, "");
  return slug || "cluster";
}

const KIND_CLUSTER = /^kind:\s*["']?Cluster["']?\s*$/m;
const KIND_API = /^apiVersion:\s*["']?kind\.x-k8s\.io\//m;
const ANY_API = /^apiVersion:/m;

/** Whether a text is a configuration for kind, and not manifests; that its apiVersion is missing, the server says. */
export const isKindFile = (text: string): boolean =>
  KIND_CLUSTER.test(text) && (KIND_API.test(text) || !ANY_API.test(text));

/** The `name:` that a kind file gives its cluster. */
export function nameInKindFile(text: string): string | undefined {
  return /^name:\s*["']?([^"'\s#]+)/m.exec(text)?.[1];
}
