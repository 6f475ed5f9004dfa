import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { servingEnvironment } from "./young-generation.ts";

const LARGEST = `
const kept = [];
let largest = 0;
for (let i = 0; i < 400_000; i++) {
  kept[i % 200_000] = { i, parts: [i, i] };
  if (i % 20_000 > 0) continue;
  const space = require("node:v8").getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space");
  largest = Math.max(largest, space.space_size);
}
console.log(largest);`;

function largestYoungGeneration(env: Readonly<Record<string, string>>): number {
  const { stdout } = spawnSync(process.execPath, ["-e", LARGEST], {
    encoding: "utf8",
    env: { ...process.env, ...env },
  });
  return Number(stdout);
}

test("a serving process has twice as much room for young objects", () => {
  const usual = largestYoungGeneration({ NODE_OPTIONS: "" });
  expect(largestYoungGeneration(servingEnvironment(""))).toBe(usual * 2);
});

test("other options stay, and a size that was given counts", () => {
  expect(servingEnvironment("--no-warnings")["NODE_OPTIONS"]).toMatch(/^--no-warnings --max-semi-space-size=/);
  expect(servingEnvironment("--max-semi-space-size=8")).toEqual({});
});
