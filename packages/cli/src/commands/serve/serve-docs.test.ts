import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), "utf8");

test("the example in the testing page is the tested one", () => {
  const page = read("../../../../../docs/testing.md");
  const [, example = ""] = /```ts title=widgets\.test\.ts\n([\s\S]*?)```/.exec(page) ?? [];
  expect(example).toBe(read("serve-example.test.ts"));
});
