import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { isArchive, readArchive } from "./archive.ts";
import { tarFile, tarGzOf, tarOf, zipOf } from "./archives.testing.ts";

const FILES = { "b/two.yaml": "b: 2\n", "a.yml": "a: 1\n", "README.md": "text", "c.json": "{}" };
const EXPECTED = [
  ["a.yml", "a: 1\n"],
  ["b/two.yaml", "b: 2\n"],
  ["c.json", "{}"],
];

function contents(bytes: Uint8Array): readonly (readonly string[])[] {
  return readArchive("x", bytes).map(({ name, text }) => [name, text]);
}

test.each([
  { name: "tar", bytes: tarOf(FILES) },
  { name: "tar with gzip", bytes: tarGzOf(FILES) },
  { name: "zip", bytes: zipOf(FILES) },
  { name: "zip without compression", bytes: zipOf(FILES, { isStored: true }) },
])("$name: YAML and JSON files are read in the order of their names", ({ bytes }) => {
  expect(isArchive(bytes)).toBe(true);
  expect(contents(bytes)).toEqual(EXPECTED);
});

describe("tar", () => {
  const long = `${"folder/".repeat(40)}x.yaml`;

  test.each([
    { name: "GNU", blocks: tarFile("././@LongLink", Buffer.from(`${long}\0`), "L") },
    { name: "pax", blocks: tarFile("PaxHeader", Buffer.from(`${long.length + 10} path=${long}\n`), "x") },
  ])("long names of $name are read", ({ blocks }) => {
    const bytes = Buffer.concat([...blocks, ...tarFile("cut.yaml", Buffer.from("x: 1")), Buffer.alloc(1024)]);
    expect(contents(bytes)).toEqual([[long, "x: 1"]]);
  });

  test("links and folders are not files", () => {
    const bytes = Buffer.concat([
      ...tarFile("l.yaml", Buffer.alloc(0), "2"),
      ...tarFile("d.yaml", Buffer.alloc(0), "5"),
    ]);
    expect(contents(bytes)).toEqual([]);
  });
});

const whole = tarOf(FILES);
const badSize = Buffer.from(whole);
badSize.write("zzzzzzzzzzz", 124);

test.each([
  { name: "a tar archive that is cut off", bytes: whole.subarray(0, 515), reason: "cut off" },
  { name: "a tar archive that ends inside a block", bytes: whole.subarray(0, 700), reason: "cut off" },
  { name: "a size that is not a number", bytes: badSize, reason: "damaged" },
  {
    name: "pax records without an end",
    bytes: Buffer.concat(tarFile("p", Buffer.from("999999999999999999 path"), "x")),
    reason: "damaged",
  },
  { name: "gzip that is cut off", bytes: tarGzOf(FILES).subarray(0, 60), reason: "unexpected end of file" },
  { name: "gzip that unpacks to too much", bytes: gzipSync(Buffer.alloc((1 << 29) + 1)), reason: "more than" },
  { name: "a zip archive that is cut off", bytes: zipOf(FILES).subarray(0, 100), reason: "cut off" },
  { name: "an encrypted zip archive", bytes: zipOf(FILES, { isEncrypted: true }), reason: "is encrypted" },
  { name: "a zip archive that unpacks to too much", bytes: zipOf(FILES, { size: 0xf0000000 }), reason: "bytes" },
  { name: "something else", bytes: Buffer.from("a: 1"), reason: "neither tar, gzip nor zip" },
])("$name is refused", ({ bytes, reason }) => {
  expect(() => contents(bytes)).toThrow(`\`x\` cannot be unpacked: `);
  expect(() => contents(bytes)).toThrow(reason);
});

test("of several files with one name the last counts", () => {
  const bytes = Buffer.concat([
    ...tarFile("a.yaml", Buffer.from("a: 1")),
    ...tarFile("a.yaml", Buffer.from("a: 2")),
    Buffer.alloc(1024),
  ]);
  expect(contents(bytes)).toEqual([["a.yaml", "a: 2"]]);
});

test("a file with an unknown compression is refused when it is read", () => {
  const bytes = zipOf({ "a.yaml": "a: 1" });
  bytes.writeUInt16LE(14, bytes.indexOf("PK\u0001\u0002") + 10);
  expect(() => contents(bytes)).toThrow("`x` cannot be unpacked: `a.yaml` has an unknown compression");
});

test("a zip archive in the format for more files is refused", () => {
  const bytes = zipOf({ "a.yaml": "a: 1" });
  bytes.writeUInt16LE(0xffff, bytes.lastIndexOf("PK\u0005\u0006") + 10);
  expect(() => contents(bytes)).toThrow("`x` cannot be unpacked: it has 65535 files or more");
});

test("a file that unpacks to more than the directory says is refused", () => {
  const [file] = readArchive("x", zipOf({ "a.yaml": "a".repeat(1000) }, { size: 10 }));
  expect(() => file?.text).toThrow("larger than");
});
