import { fromPlain } from "@portcullis/engine/internal/value/copy";
import { isObject } from "@portcullis/engine/internal/value/json";
import { expect, test } from "vitest";
import { respondList } from "./list-text.ts";
import { PLAIN, respondObject } from "./respond.ts";

const data = { list: '"items":[]', lines: "items: []\nitems: []\n", empty: "", text: "ünï", 1: "<&>" };
const item = (name: string) => ({ metadata: { name, annotations: data }, data, rest: [], more: {} });
const list = (items: unknown[], metadata: object = { resourceVersion: "7" }) => ({
  apiVersion: "v1",
  kind: "ConfigMapList",
  metadata,
  items,
});

test.each([
  { name: "of two", value: list([item("a"), item("b")]) },
  { name: "of none", value: list([]) },
  { name: "whose metadata looks like items", value: list([item("a")], { continue: 'items: []\n"items":[]' }) },
])("a list $name has the same text in slices as at once", async ({ value }) => {
  const result = fromPlain(value);
  if (!isObject(result)) throw new Error("not a list");
  for (const format of ["json", "yaml"] as const) {
    for (const isPretty of [true, false]) {
      const output = { ...PLAIN, format, isPretty };
      expect(await respondList(result, output, () => undefined)).toEqual(respondObject(200, result, output));
    }
  }
});

test("a long list is bytes, made of the same text", async () => {
  const result = fromPlain(list(Array.from({ length: 3_000 }, (_, i) => item(`a${i}`))));
  if (!isObject(result)) throw new Error("not a list");
  for (const format of ["json", "yaml"] as const) {
    const output = { ...PLAIN, format };
    const { body } = await respondList(result, output, () => undefined);
    if (!(body instanceof Uint8Array)) throw new Error("not in bytes");
    expect(new TextDecoder().decode(body)).toBe(respondObject(200, result, output).body);
  }
});
