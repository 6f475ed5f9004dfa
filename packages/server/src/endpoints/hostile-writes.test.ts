/** Writes that try to hurt: each gets upstream's answer or a clear refusal, and what was stored stays as it was. */
import { encodeProtobuf } from "@portcullis/engine/internal/builtin/protobuf/envelope";
import { fromPlain } from "@portcullis/engine/internal/value/copy";
import { isObject } from "@portcullis/engine/internal/value/json";
import { beforeEach, describe, expect, test } from "vitest";
import { type Client, openWithWidgets, WIDGETS, widget } from "../app/app.testing.ts";

const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
const JSON_PATCH = "application/json-patch+json";
const MERGE_PATCH = "application/merge-patch+json";
const STRATEGIC = "application/strategic-merge-patch+json";
const APPLY = "application/apply-patch+yaml";

let api: Client;
let before: string;

beforeEach(async () => {
  api = await openWithWidgets();
  await api.post(WIDGETS, widget("a", { spec: { size: 1 } }));
  const config = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "c" }, data: { a: "1" } };
  await api.post(CONFIG_MAPS, config);
  before = await stored();
});

async function stored(): Promise<string> {
  return (await api.get(`${WIDGETS}/a`)).text + (await api.get(`${CONFIG_MAPS}/c`)).text;
}

const repeated = (count: number, operation: object): string =>
  JSON.stringify(Array.from({ length: count }, () => operation));

const copyBomb = JSON.stringify([
  { op: "add", path: "/data/x", value: "x".repeat(1024) },
  ...Array.from({ length: 40 }, (_, index) => ({ op: "copy", from: "/data", path: `/data/b${index}` })),
]);

/** Nine levels of nine aliases each: half a billion items when written out. */
const aliasBomb = [
  "a: &a [x, x, x, x, x, x, x, x, x]",
  ...[..."bcdefghi"].map((name, index) => {
    const inner = `*${"abcdefgh"[index]}`;
    return `${name}: &${name} [${Array.from({ length: 9 }, () => inner).join(", ")}]`;
  }),
].join("\n");

const deep = (levels: number): string => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;

interface Attack {
  readonly name: string;
  readonly path: string;
  readonly type: string;
  readonly raw: string;
  readonly code: number;
}

const attacks: readonly Attack[] = [
  {
    name: "10,001 operations",
    path: `${WIDGETS}/a`,
    type: JSON_PATCH,
    raw: repeated(10_001, { op: "test", path: "/kind", value: "Widget" }),
    code: 413,
  },
  {
    name: "10,000 operations, the last of which fails",
    path: `${WIDGETS}/a`,
    type: JSON_PATCH,
    raw: repeated(10_000, { op: "remove", path: "/spec/nope" }),
    code: 422,
  },
  { name: "a copy bomb", path: `${CONFIG_MAPS}/c`, type: JSON_PATCH, raw: copyBomb, code: 422 },
  {
    name: "a JSON patch of more than three mebibytes",
    path: `${WIDGETS}/a`,
    type: JSON_PATCH,
    raw: `[${" ".repeat(3_200_000)}]`,
    code: 413,
  },
  {
    name: "a merge patch of more than three mebibytes",
    path: `${WIDGETS}/a`,
    type: MERGE_PATCH,
    raw: `{"spec":{"color":"${"x".repeat(3_200_000)}"}}`,
    code: 413,
  },
  {
    name: "a strategic merge patch of more than three mebibytes",
    path: `${CONFIG_MAPS}/c`,
    type: STRATEGIC,
    raw: `{"data":{"b":"${"x".repeat(3_200_000)}"}}`,
    code: 413,
  },
  {
    name: "an applied configuration of more than three mebibytes",
    path: `${WIDGETS}/a?fieldManager=m`,
    type: APPLY,
    raw: `spec: "${"x".repeat(3_200_000)}"`,
    code: 413,
  },
  { name: "aliases of aliases", path: `${WIDGETS}/a?fieldManager=m`, type: APPLY, raw: aliasBomb, code: 400 },
  {
    name: "a merge patch deeper than the decoder goes",
    path: `${WIDGETS}/a`,
    type: MERGE_PATCH,
    raw: deep(10_001),
    code: 400,
  },
  {
    name: "a JSON patch of a path of 9,000 parts",
    path: `${WIDGETS}/a`,
    type: JSON_PATCH,
    raw: repeated(1, { op: "add", path: "/a".repeat(9000), value: 1 }),
    code: 422,
  },
  {
    name: "duplicate keys, strictly",
    path: `${WIDGETS}/a?fieldValidation=Strict`,
    type: MERGE_PATCH,
    raw: `{${'"spec":{"size":1},'.repeat(5000)}"spec":{"size":2}}`,
    code: 422,
  },
  {
    name: "duplicate keys in operations, strictly",
    path: `${WIDGETS}/a?fieldValidation=Strict`,
    type: JSON_PATCH,
    raw: `[{${'"op":"add",'.repeat(5000)}"path":"/spec/size","value":2}]`,
    code: 422,
  },
  {
    name: "duplicate keys in an applied configuration, strictly",
    path: `${WIDGETS}/a?fieldManager=m&force=true&fieldValidation=Strict`,
    type: APPLY,
    raw: `apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: a}\nspec:\n${"  size: 2\n".repeat(2000)}`,
    code: 400,
  },
  { name: "no content type that is known", path: `${CONFIG_MAPS}/c`, type: "text/plain", raw: "{}", code: 415 },
  {
    name: "a patch type that custom resources do not take",
    path: `${WIDGETS}/a`,
    type: STRATEGIC,
    raw: "{}",
    code: 415,
  },
  { name: "a patch that is no JSON", path: `${WIDGETS}/a`, type: MERGE_PATCH, raw: "{", code: 400 },
];

test.each(attacks)("a patch: $name", async ({ path, type, raw, code }) => {
  const answer = await api.send("PATCH", path, { raw, type });
  expect([answer.code, answer.json.kind]).toEqual([code, "Status"]);
  expect(await stored()).toBe(before);
});

test.each(["Ignore", "Warn"])("ten thousand operations that can be applied are applied: %s", async (validation) => {
  const raw = repeated(10_000, { op: "replace", path: "/spec/size", value: 4 });
  const answer = await api.send("PATCH", `${WIDGETS}/a?fieldValidation=${validation}`, { raw, type: JSON_PATCH });
  expect([answer.code, answer.json.spec.size]).toEqual([200, 4]);
});

describe("a body", () => {
  test.each([
    { name: "aliases of aliases", raw: aliasBomb, type: "application/yaml", code: 400 },
    { name: "deeper than the decoder goes", raw: deep(10_001), type: "application/json", code: 400 },
    { name: "of an unknown type", raw: "<a/>", type: "application/xml", code: 415 },
    { name: "in YAML that never ends", raw: "a: [", type: "application/yaml", code: 400 },
  ])("$name", async ({ raw, type, code }) => {
    const answer = await api.send("POST", WIDGETS, { raw, type });
    expect([answer.code, answer.json.kind]).toEqual([code, "Status"]);
  });

  test("of protobuf that is truncated anywhere is refused or complete", async () => {
    const json = fromPlain({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "cut" }, data: { k: "v" } });
    const whole = isObject(json) ? encodeProtobuf(json) : undefined;
    const headers = { authorization: "Bearer admin", "content-type": "application/vnd.kubernetes.protobuf" };
    for (let length = 0; length < (whole?.length ?? 0); length++) {
      const body = new Uint8Array(whole?.subarray(0, length) ?? []);
      const answer = await api.app.fetch(new Request(`http://test${CONFIG_MAPS}`, { method: "POST", headers, body }));
      expect(answer.status, `after ${length} bytes`).toBeLessThan(500);
      const found = await api.get(`${CONFIG_MAPS}/cut`);
      expect(found.json.data ?? { k: "v" }).toEqual({ k: "v" });
      expect(found.code).toBe(answer.status === 201 ? 200 : 404);
      await api.delete(`${CONFIG_MAPS}/cut`);
    }
  });
});
