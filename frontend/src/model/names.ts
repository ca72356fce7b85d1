/** Names compared as people sort them: n2 before n10. The same on every page, whatever the language. */
const collator = new Intl.Collator("en", { numeric: true });

export const compareNames = (one: string, other: string): number => collator.compare(one, other);

export const byName = (one: { readonly name: string }, other: { readonly name: string }): number =>
  compareNames(one.name, other.name);

interface Namespaced {
  readonly namespace: string;
  readonly name: string;
}

export const byNamespaceAndName = (one: Namespaced, other: Namespaced): number =>
  compareNames(one.namespace, other.namespace) || byName(one, other);
