/**
 * What a map of JSON has under a key that people choose: a label, a resource, a plugin.
 *
 * A plain look-up would also find what every object of JavaScript has: of a label key `constructor` or `__proto__` it
 * answers a function or an object, where the cluster has nothing.
 */
export const own = <T>(map: Readonly<Record<string, T>>, key: string): T | undefined =>
  Object.hasOwn(map, key) ? map[key] : undefined;
