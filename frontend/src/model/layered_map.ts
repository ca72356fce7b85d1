/**
 * A large map of which a newer version costs as much as it differs.
 *
 * A version is a base that is never written again and what was set or deleted since. Making the next version copies
 * the second part only; when that has grown, both become the next base. Entries have the order of a Map, but for
 * what was deleted and set again, which may be back in its old place. Only who made a version writes to it.
 */
const GONE = Symbol("gone");

/** Smaller maps are copied: that is as fast. */
const LAYERED_FROM = 2000;
/** Of the base's size, how much may lie above it. */
const MOST_ABOVE = 1 / 16;

/** What a draft needs of a map. */
export interface WritableMap<K, V> extends ReadonlyMap<K, V> {
  set(key: K, value: V): unknown;
  delete(key: K): boolean;
}

/** The next version of a map, to be written by the caller alone. */
export function nextVersion<K, V>(map: ReadonlyMap<K, V>): WritableMap<K, V> {
  if (map.size < LAYERED_FROM) return new Map(map);
  if (!(map instanceof LayeredMap)) return new LayeredMap(map, new Map(), map.size);
  return map.next();
}

export class LayeredMap<K, V> implements WritableMap<K, V> {
  constructor(
    private readonly base: ReadonlyMap<K, V>,
    private readonly above: Map<K, V | typeof GONE>,
    private count: number,
  ) {}

  next(): LayeredMap<K, V> {
    if (this.above.size <= this.base.size * MOST_ABOVE)
      return new LayeredMap(this.base, new Map(this.above), this.count);
    return new LayeredMap(new Map(this.entries()), new Map(), this.count);
  }

  get size(): number {
    return this.count;
  }

  get(key: K): V | undefined {
    const above = this.above.get(key);
    if (above === GONE) return undefined;
    return above === undefined ? this.base.get(key) : above;
  }

  has(key: K): boolean {
    const above = this.above.get(key);
    return above === undefined ? this.base.has(key) : above !== GONE;
  }

  set(key: K, value: V): this {
    if (!this.has(key)) this.count += 1;
    this.above.set(key, value);
    return this;
  }

  delete(key: K): boolean {
    if (!this.has(key)) return false;
    this.count -= 1;
    if (this.base.has(key)) this.above.set(key, GONE);
    else this.above.delete(key);
    return true;
  }

  *entries(): MapIterator<[K, V]> {
    for (const [key, value] of this.base) {
      const above = this.above.get(key);
      if (above === undefined) yield [key, value];
      else if (above !== GONE) yield [key, above];
    }
    for (const [key, value] of this.above) {
      if (value !== GONE && !this.base.has(key)) yield [key, value];
    }
  }

  *keys(): MapIterator<K> {
    for (const [key] of this.entries()) yield key;
  }

  *values(): MapIterator<V> {
    for (const [, value] of this.entries()) yield value;
  }

  [Symbol.iterator](): MapIterator<[K, V]> {
    return this.entries();
  }

  forEach(visit: (value: V, key: K, map: ReadonlyMap<K, V>) => void): void {
    for (const [key, value] of this.entries()) visit(value, key, this);
  }
}
