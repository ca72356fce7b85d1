import { describe, expect, test } from "vitest";
import { LayeredMap, nextVersion } from "./layered_map";

const large = (): Map<string, number> => new Map(Array.from({ length: 3000 }, (_, n) => [`k${n}`, n] as const));

/** Draws the same every time. */
function* draws(seed: number): Generator<number> {
  let state = seed;
  for (;;) {
    state = (state * 1103515245 + 12345) % 2147483648;
    yield state;
  }
}

test("a small map is copied, a large one layered", () => {
  expect(nextVersion(new Map([["a", 1]]))).toBeInstanceOf(Map);
  expect(nextVersion(large())).toBeInstanceOf(LayeredMap);
});

describe("whatever is set and deleted over many versions", () => {
  const plain = large();
  let layered = nextVersion(plain);
  const expected = new Map(plain);
  const random = draws(7);
  for (let step = 0; step < 4000; step++) {
    const key = `k${(random.next().value as number) % 3500}`;
    if ((random.next().value as number) % 3 === 0) {
      layered.delete(key);
      expected.delete(key);
    } else {
      layered.set(key, step);
      expected.set(key, step);
    }
    if (step % 40 === 0) layered = nextVersion(layered);
  }

  test("it answers as a Map does", () => {
    expect(layered.size).toBe(expected.size);
    for (let n = 0; n < 3500; n++) {
      expect(layered.get(`k${n}`)).toBe(expected.get(`k${n}`));
      expect(layered.has(`k${n}`)).toBe(expected.has(`k${n}`));
    }
  });

  test("it tells the same entries, each once", () => {
    expect(new Map(layered)).toEqual(expected);
    expect([...layered.keys()]).toHaveLength(expected.size);
    expect([...layered.values()].sort()).toEqual([...expected.values()].sort());
  });
});

test("an older version does not see what is written to the next", () => {
  const first = nextVersion(large());
  first.set("k1", -1);
  const second = nextVersion(first);
  second.set("k1", -2);
  second.delete("k2");
  second.set("new", 1);
  expect([first.get("k1"), first.get("k2"), first.has("new")]).toEqual([-1, 2, false]);
  expect([second.get("k1"), second.get("k2"), second.get("new")]).toEqual([-2, undefined, 1]);
});
