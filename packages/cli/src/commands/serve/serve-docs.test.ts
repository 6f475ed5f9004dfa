import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), "utf8");

test("the example of the page about testing is the one that is tested", () => {
  const page = read("../../../../../docs/testing.md");
  const [, example = ""] = /```ts title=widgets\.test\.ts\n([\s\S]*?)```/.exec(page) ?? [];
  expect(example).toBe(read("serve-example.test.ts"));
});
