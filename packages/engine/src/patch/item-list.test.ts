import fc from "fast-check";
import { expect, test } from "vitest";
import { ItemList } from "./item-list.ts";

test("it behaves like an array", () => {
  const change = fc.tuple(fc.constantFrom("insert", "remove", "set"), fc.nat(), fc.nat());
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 5000 }), fc.array(change, { maxLength: 300 }), (size, changes) => {
      const array = Array.from({ length: size }, (_, index) => index);
      const list = new ItemList(array);
      for (const [kind, place, item] of changes) {
        const index = place % (kind === "insert" ? array.length + 1 : Math.max(1, array.length));
        if (kind === "insert") {
          array.splice(index, 0, item);
          list.insert(index, item);
        } else if (kind === "remove") {
          array.splice(index, 1);
          list.remove(index);
        } else if (array.length > 0) {
          array[index] = item;
          list.set(index, item);
        }
        expect(list.at(index)).toBe(array[index]);
      }
      expect([...list]).toEqual(array);
      expect(list.length).toBe(array.length);
    }),
    { numRuns: 50 },
  );
});
