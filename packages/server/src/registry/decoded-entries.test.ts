import type { ResourceKind } from "@portcullis/engine/internal/review/kind";
import { expect, test } from "vitest";
import { DecodedEntries } from "./decoded-entries.ts";

const kind = {} as ResourceKind;
const entries = Array.from({ length: 100 }, (_, i) => ({
  key: `${i}`,
  value: "x".repeat(10),
  revision: i,
  created: i,
}));

function kept(decoded: DecodedEntries): string[] {
  return entries.filter((entry) => decoded.get(entry, kind) !== undefined).map(({ key }) => key);
}

test("only what was decoded last is kept", () => {
  const decoded = new DecodedEntries(35);
  for (const entry of entries) decoded.add(entry, kind, {});
  expect(kept(decoded)).toEqual(["97", "98", "99"]);
});

test("an entry that is larger than all is kept until the next one", () => {
  const decoded = new DecodedEntries(5);
  for (const entry of entries) decoded.add(entry, kind, {});
  expect(kept(decoded)).toEqual(["99"]);
});

test("what was converted stays", () => {
  const decoded = new DecodedEntries(35);
  const [first] = entries;
  if (first !== undefined) decoded.addConverted(first, kind, {});
  for (const entry of entries.slice(1)) decoded.add(entry, kind, {});
  expect(kept(decoded)).toEqual(["0", "97", "98", "99"]);
});
