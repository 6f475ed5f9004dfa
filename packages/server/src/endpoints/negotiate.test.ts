import { expect, test } from "vitest";
import { parseAccept } from "./negotiate.ts";

test.each([
  { header: "application/json, application/yaml", types: ["application/json", "application/yaml"] },
  { header: "*/*, application/yaml", types: ["application/yaml", "*/*"] },
  { header: "application/*,application/yaml;q=0.5", types: ["application/yaml", "application/*"] },
  { header: "text/html;q=0.5, application/yaml;q=0.9", types: ["application/yaml", "text/html"] },
  { header: "*", types: ["*/*"] },
  { header: "json, application/json/x, , application/json", types: ["application/json"] },
  { header: "Application/JSON", types: ["Application/JSON"] },
])("the clauses of $header are in the order of the reference", ({ header, types }) => {
  expect(parseAccept(header).map(({ type }) => type)).toEqual(types);
});

test("a parameter without a value does not count", () => {
  const [clause] = parseAccept("application/json; as=; v = v1 ;g=a=b");
  expect([...(clause?.params ?? [])]).toEqual([["v", "v1"]]);
});
