import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const PACKAGE = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));

test("the package exports its entry points; everything else is internal", () => {
  expect(Object.keys(PACKAGE.exports)).toEqual([
    ".",
    "./kubecel",
    "./policy",
    "./upgrade",
    "./codec",
    "./apply",
    "./internal/*",
    "./package.json",
  ]);
  for (const [name, target] of Object.entries<Record<string, string>>(PACKAGE.exports)) {
    if (name === "./package.json") continue;
    const source = target["portcullis-source"] ?? "";
    expect(target["default"]).toBe(source.replace("./src/", "./dist/").replace(/\.ts$/, ".js"));
    expect(target["types"]).toBe(source.replace("./src/", "./dist/").replace(/\.ts$/, ".d.ts"));
  }
});
