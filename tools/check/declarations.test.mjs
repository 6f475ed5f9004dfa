import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { declarationsOf } from "./declarations.mjs";

const folder = mkdtempSync(path.join(tmpdir(), "portcullis-declarations-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(name, text) {
  writeFileSync(path.join(folder, name), text);
  return path.join(folder, name);
}

write(
  "shape.d.ts",
  `/** A shape. */
export interface Shape {
    /** In pixels. */
    readonly size: number;
}
export declare function draw(shape: Shape): void;
export declare function draw(shape: Shape, scale: number): void;
declare const hidden = 1;
export {};
`,
);

test("re-exports are followed, and comments are kept apart", () => {
  const index = write(
    "index.d.ts",
    'export { type Shape, draw as paint } from "./shape.ts";\nexport * from "./other.js";\n',
  );
  write("other.d.ts", "export declare const LIMIT = 3;\n");
  const found = declarationsOf(index);
  expect([...found.keys()]).toEqual(["Shape", "paint", "LIMIT"]);
  expect(found.get("Shape").doc).toBe("A shape.");
  expect(found.get("Shape").text).toBe("export interface Shape {\n    readonly size: number;\n}");
  expect(found.get("Shape").full).toContain("/** In pixels. */");
  expect(found.get("LIMIT").text).toBe("export const LIMIT = 3;");
});

test("overloads are one declaration, and a new name is shown", () => {
  const index = write("again.d.ts", 'import { draw } from "./shape.ts";\nexport { draw as paint };\n');
  const text = declarationsOf(index).get("paint").text;
  expect(text).toMatch(/^\/\* as paint \*\/ export function draw/);
  expect(text.split("function draw")).toHaveLength(3);
});

test("a name of another package refers to it", () => {
  const index = write("foreign.d.ts", 'export type { Other } from "@portcullis/other";\n');
  expect(declarationsOf(index).get("Other").text).toBe('export Other; // from "@portcullis/other"');
});
