/**
 * A namespace's stripe: a hue from its name, pale enough not to be taken for a meaning.
 *
 * `default` has none. The same name has the same hue in every cluster.
 */
import type { CSSProperties } from "react";

const cache = new Map<string, CSSProperties>();

export function stripeOf(namespace: string): CSSProperties {
  let style = cache.get(namespace);
  if (!style) {
    style = { "--stripe": colourOf(namespace) } as CSSProperties;
    cache.set(namespace, style);
  }
  return style;
}

function colourOf(namespace: string): string {
  if (namespace === "default") return "var(--line-strong)";
  let hash = 0;
  for (const letter of namespace) hash = (hash * 31 + letter.charCodeAt(0)) % 3600;
  return `light-dark(hsl(${hash / 10} 28% 55%), hsl(${hash / 10} 26% 58%))`;
}
