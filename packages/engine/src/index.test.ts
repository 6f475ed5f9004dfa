import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as engine from "./index.ts";
import * as kubecel from "./kubecel/index.ts";
import * as policy from "./policy/index.ts";

const PACKAGE = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));

test("the package exports a beginning, two lists and every module by path", () => {
  expect(Object.keys(PACKAGE.exports)).toEqual([".", "./kubecel", "./policy", "./package.json", "./*"]);
  for (const [name, target] of Object.entries<Record<string, string>>(PACKAGE.exports)) {
    if (name === "./package.json") continue;
    const source = target["portcullis-source"] ?? "";
    expect(target["default"]).toBe(source.replace("./src/", "./dist/").replace(/\.ts$/, ".js"));
    expect(target["types"]).toBe(source.replace("./src/", "./dist/").replace(/\.ts$/, ".d.ts"));
  }
});

test("what the beginning shares with the lists is the same thing", () => {
  for (const list of [kubecel, policy]) {
    const all = new Map<string, unknown>(Object.entries(list));
    const shared = Object.entries(engine).filter(([name]) => all.has(name));
    expect(shared.length).toBeGreaterThan(1);
    for (const [name, value] of shared) expect(value, name).toBe(all.get(name));
  }
});
