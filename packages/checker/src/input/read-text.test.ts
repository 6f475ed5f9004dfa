import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { decodeText, readTextFile } from "./read-text.ts";

const folder = mkdtempSync(path.join(tmpdir(), "texts-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const TEXT = "apiVersion: v1\n# ä🛡\n";
const little = Buffer.from(`\ufeff${TEXT}`, "utf16le");

test.each([
  { name: "UTF-8", bytes: Buffer.from(TEXT) },
  { name: "UTF-16, low byte first", bytes: little },
  { name: "UTF-16, high byte first", bytes: Buffer.from(little).swap16() },
])("$name is read", ({ bytes }) => {
  const file = path.join(folder, "text.yaml");
  writeFileSync(file, bytes);
  expect(readTextFile(file)).toBe(TEXT);
  expect(decodeText(bytes)).toBe(TEXT);
});

test("bytes of another encoding become replacement characters", () => {
  const file = path.join(folder, "latin-1.yaml");
  writeFileSync(file, Buffer.from("caf\u00e9", "latin1"));
  expect(readTextFile(file)).toBe("caf\ufffd");
});

test("the problem of a folder names it", () => {
  expect(() => readTextFile(folder)).toThrow(expect.objectContaining({ code: "EISDIR", path: folder }));
});
