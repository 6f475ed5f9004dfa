/** Compares pages of a list with a plain list of everything, at every revision, while keys are created and deleted. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { StoreState } from "./state.ts";

const steps = fc.array(fc.record({ name: fc.nat(12), isDeletion: fc.boolean(), compact: fc.nat(15) }), {
  maxLength: 60,
});

test("a page equals a part of the whole list and counts the rest", () => {
  fc.assert(
    fc.property(steps, fc.nat(5), (changes, limit) => {
      const state = grow(changes);
      for (let revision = state.compacted; revision <= state.revision; revision++) {
        const all = state.list("/a/", { revision }).entries;
        let start = "/a/";
        for (let from = 0; ; from += limit + 1) {
          const page = state.list("/a/", { revision, start, limit: limit + 1 });
          expect(page.entries).toEqual(all.slice(from, from + limit + 1));
          expect(page.remaining).toBe(Math.max(0, all.length - from - limit - 1));
          const last = page.entries.at(-1);
          if (page.remaining === 0 || last === undefined) break;
          start = `${last.key}\0`;
        }
      }
    }),
  );
});

/** Half of the keys are outside of the requested list. */
function grow(changes: readonly { name: number; isDeletion: boolean; compact: number }[]): StoreState {
  const state = new StoreState();
  for (const { name, isDeletion, compact } of changes) {
    const key = `/${name % 2 === 0 ? "a" : "b"}/${name}`;
    const previous = state.get(key);
    const revision = state.revision + 1;
    const entry = { key, value: `${revision}`, revision, created: previous?.created ?? revision };
    if (isDeletion && previous === undefined) continue;
    state.apply({ key, revision, entry: isDeletion ? undefined : entry, previous });
    if (compact === 0) state.compact(revision - 1);
  }
  return state;
}
