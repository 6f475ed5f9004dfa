/** The published JSON schema has the fields that the decoder reads, and no others. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { readSuites } from "./suite-read.ts";

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly enum?: readonly string[];
}

const SCHEMA: Schema & { readonly $defs: Readonly<Record<string, Schema>> } = JSON.parse(
  readFileSync(fileURLToPath(new URL("../../../../docs/test-suite.schema.json", import.meta.url)), "utf8"),
);

/** The decoder lists the fields it knows when it meets one that it does not know. */
function knownFields(text: string): readonly string[] {
  const folder = mkdtempSync(path.join(tmpdir(), "portcullis-schema-"));
  try {
    const file = path.join(folder, "suite.yaml");
    writeFileSync(file, `kind: TestSuite\n${text}\n`);
    const { suites, problems } = readSuites([file]);
    const [problem] = [...problems, ...suites.flatMap(({ problems: own = [] }) => own)];
    const [, list = problem?.message ?? "no problem"] =
      /unknown field `stray`; known are (.*)/.exec(problem?.message ?? "") ?? [];
    return list.split(", ");
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const tests = (fields: string): string => `tests: [{${fields}, stray: 1}]`;
const ACCESS = "authentication: {}, claims: {}, expect: allow";

test.each([
  ["suite", "stray: 1\ntests: []"],
  ["request", tests("object: {}, expect: allow")],
  ["write", tests("create: {}, expect: allow")],
  ["steps", tests("steps: [{create: {}, expect: allow}]")],
  ["step", "tests: [{steps: [{create: {}, expect: allow, stray: 1}]}]"],
  ["expression", tests("expression: a, value: 1")],
  ["authentication", tests(ACCESS)],
  ["authorization", tests("authorization: {}, accessReview: {}, expect: match")],
  ["device", tests("device: {driver: d}, selectors: a, expect: match")],
])("the fields of a %s are those of the schema", (name, text) => {
  const schema = name === "suite" ? SCHEMA : SCHEMA.$defs[name];
  expect([...knownFields(text)].sort()).toEqual(Object.keys(schema?.properties ?? {}).sort());
});

test("the fields of a device are those of the schema", () => {
  const known = knownFields("tests: [{device: {driver: d, stray: 1}, selectors: a, expect: match}]");
  expect([...known].sort()).toEqual(
    Object.keys(SCHEMA.$defs["device"]?.properties?.["device"]?.properties ?? {}).sort(),
  );
});

test.each(["request", "write", "authentication", "authorization", "device"])(
  "the outcomes of a %s are those of the schema",
  (name) => {
    const start: Readonly<Record<string, string>> = {
      request: "object: {}",
      write: "create: {}",
      authentication: "authentication: {}, claims: {}",
      authorization: "authorization: {}, accessReview: {}",
      device: "device: {driver: d}, selectors: a",
    };
    const folder = mkdtempSync(path.join(tmpdir(), "portcullis-schema-"));
    const file = path.join(folder, "suite.yaml");
    writeFileSync(file, `kind: TestSuite\ntests: [{${start[name]}, expect: none}]\n`);
    const [problem] = readSuites([file]).suites.flatMap(({ problems = [] }) => problems);
    rmSync(folder, { recursive: true });
    expect(problem?.message).toContain(`one of ${SCHEMA.$defs[name]?.properties?.["expect"]?.enum?.join(", ")}`);
  },
);
