import { expect, test } from "vitest";
import { COMPACT, decodeWatchResponse, encodeWatchProgress, RANGE, TXN } from "./protocol.ts";
import { isProgressReliable } from "./watch-stream.ts";
import { ProtoWriter, readFields } from "./wire.ts";

test.each([0, 1, 127, 128, 300, 2 ** 31, 2 ** 32 + 5, Number.MAX_SAFE_INTEGER])("the integer %d survives", (value) => {
  const seen: [number, number][] = [];
  readFields(new ProtoWriter().int(3, value).int(17, 1).finish(), { int: (field, found) => seen.push([field, found]) });
  expect(seen).toEqual(value === 0 ? [[17, 1]] : [[3, value], [17, 1]]); // biome-ignore format: pairs
});

test("bytes of any length survive, nested too", () => {
  const text = "é🛡".repeat(5000);
  const seen: string[] = [];
  readFields(new ProtoWriter().message(2, new ProtoWriter().bytes(1, text)).bytes(3, "").finish(), {
    bytes: (field, value) => {
      if (field === 2) readFields(value, { bytes: (_, inner) => seen.push(inner.toString()) });
      else seen.push(value.toString());
    },
  });
  expect(seen).toEqual([text, ""]);
});

test("fields of unknown numbers and fixed sizes are skipped", () => {
  const bytes = Buffer.from([0x09, 1, 2, 3, 4, 5, 6, 7, 8, 0x15, 1, 2, 3, 4, 0x18, 7]);
  const seen: [number, number][] = [];
  readFields(bytes, { int: (field, value) => seen.push([field, value]) });
  expect(seen).toEqual([[3, 7]]);
});

test.each([
  { name: "in an integer", bytes: [0x08, 0x80] },
  { name: "in bytes", bytes: [0x0a, 5, 1, 2] },
  { name: "in a fixed number", bytes: [0x09, 1] },
])("a message cut off $name is refused", ({ bytes }) => {
  expect(() => readFields(Buffer.from(bytes), {})).toThrow("unexpected EOF");
});

test.each([
  {
    name: "a range",
    bytes: RANGE.encode({ key: "a", end: "b", limit: 2, revision: 3, keysOnly: true }),
    hex: "0a0161120162180220034001",
  },
  { name: "a compaction", bytes: COMPACT.encode({ revision: 300 }), hex: "08ac02" },
  { name: "a question for progress", bytes: encodeWatchProgress(), hex: "1a00" },
  {
    name: "a creation, with its zero",
    bytes: TXN.encode({ key: "k", expected: 0, success: [], failure: [] }),
    hex: "0a0710021a016b3000",
  },
])("$name is encoded as etcd's own code does", ({ bytes, hex }) => {
  expect(bytes.toString("hex")).toBe(hex);
});

test("a progress response has neither events nor a mark", () => {
  const bytes = Buffer.from("0a02182a10ffffffffffffffffff01", "hex");
  expect(decodeWatchResponse(bytes)).toMatchObject({ revision: 42, isCreated: false, isCanceled: false, events: [] });
});

test.each([
  { version: "3.3.27", reliable: false },
  { version: "3.4.23", reliable: false },
  { version: "3.4.25", reliable: true },
  { version: "3.5.7", reliable: false },
  { version: "3.5.21", reliable: true },
  { version: "3.6.0-rc.1", reliable: true },
  { version: "4.0.0", reliable: true },
  { version: "", reliable: false },
])("progress of etcd $version is reliable: $reliable", ({ version, reliable }) => {
  expect(isProgressReliable(version)).toBe(reliable);
});
