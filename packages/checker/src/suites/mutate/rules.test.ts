import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { isArray, isObject, type JsonObject } from "@portcullis/engine/internal/value/json";
import { engineOptions } from "portcullis/internal/frame/engine-options";
import { afterAll, expect, test } from "vitest";
import { formatYaml } from "../../output/yaml.ts";
import { loadDocuments } from "../../policy/load.ts";
import { readSuites } from "../suite-read.ts";
import { newContext, runSuite } from "../suite-run.ts";
import { generateCases, testedBy } from "./generate.ts";
import { mutateSuite } from "./run-mutants.ts";

const folder = mkdtempSync(path.join(tmpdir(), "portcullis-rules-"));
afterAll(() => rmSync(folder, { recursive: true }));

const context = newContext(engineOptions(undefined, undefined));
const options = { context, seconds: 20, now: () => performance.now() };

function write(name: string, text: string): string {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return file;
}

/** A CRD with rules of the spec and of the status. */
function writeCrd(spec: readonly string[], status: readonly string[] = []): string {
  const rules = (all: readonly string[]): string => JSON.stringify(all.map((rule) => JSON.parse(rule)));
  return write(
    "crd.yaml",
    `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: queues.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {plural: queues, kind: Queue}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties: {min: {type: integer}, max: {type: integer}, name: {type: string, maxLength: 20}}
            x-kubernetes-validations: ${rules(spec)}
          status:
            type: object
            properties: {ready: {type: integer}}
            x-kubernetes-validations: ${rules(status)}
`,
  );
}

const ORDER = `{"rule": "!has(self.min) || !has(self.max) || self.min <= self.max", "message": "min must not be above max"}`;
const KEPT = `{"rule": "!has(oldSelf.name) || has(self.name) && self.name == oldSelf.name", "message": "name is immutable"}`;
const READY = `{"rule": "!has(self.ready) || self.ready >= 0", "message": "ready must not be negative"}`;

function writeSuite(tests: string): string {
  return write("suite.yaml", `apiVersion: test.portcullis.dev/v1\nkind: TestSuite\ncrds: [crd.yaml]\ntests:\n${tests}`);
}

const CREATE = "{apiVersion: example.com/v1, kind: Queue, metadata: {name: q}, spec: {min: 1, max: 2}}";

async function survivorsOf(tests: string) {
  const [suite] = readSuites([writeSuite(tests)]).suites;
  if (suite === undefined) throw new Error("there is a suite");
  return mutateSuite(suite, options);
}

/** The results of cases in a suite of their own, beside the CRD. */
async function resultsOf(tests: readonly JsonObject[]) {
  const suite = { apiVersion: "test.portcullis.dev/v1", kind: "TestSuite", crds: ["crd.yaml"], tests: [...tests] };
  const [read] = readSuites([write("found.yaml", formatYaml([suite]))]).suites;
  if (read === undefined) throw new Error("there is a suite");
  return (await runSuite(read, context)).results;
}

test("a mutant of a rule that no case notices is named, with a write that notices it", async () => {
  writeCrd([ORDER]);
  const { survivors } = await survivorsOf(`- {name: ordered, create: ${CREATE}, expect: allow}\n`);
  const strict = survivors.find(({ mutant }) => mutant.operator === "<= to <");
  expect(strict?.found).toMatchObject({ type: "case", test: { expect: "allow" } });
  const cases = survivors.flatMap(({ found }) => (found.type === "case" ? [found.test] : []));
  expect(cases.length).toBe(survivors.length);
  expect((await resultsOf(cases)).filter(({ passed }) => !passed)).toEqual([]);
});

test("a mutant that refuses less is shown by a refused write with the message of the rule", async () => {
  writeCrd([`{"rule": "!has(self.max) || self.max <= 5", "message": "too many"}`]);
  const { survivors } = await survivorsOf(`- {name: none, create: ${CREATE}, expect: allow}\n`);
  const higher = survivors.find(({ mutant }) => mutant.operator === "5 to 6");
  expect(higher?.found).toMatchObject({
    type: "case",
    test: { create: { spec: { max: 6 } }, expect: "deny", message: { contains: "too many" } },
  });
});

test("a mutant of a rule about transitions is shown by an update", async () => {
  writeCrd([KEPT]);
  const { survivors } = await survivorsOf(`- {name: any, create: ${CREATE}, expect: allow}\n`);
  const changed = survivors.find(({ mutant }) => mutant.operator === "== to !=");
  expect(changed?.found).toMatchObject({ type: "case", test: { live: { spec: {} }, update: { spec: {} } } });
});

test("a mutant of a rule of the status is shown by a write of the status", async () => {
  writeCrd([], [READY]);
  const { survivors } = await survivorsOf(`- {name: any, create: ${CREATE}, expect: allow}\n`);
  const strict = survivors.find(({ mutant }) => mutant.operator === ">= to >");
  expect(strict?.found).toMatchObject({
    type: "case",
    test: { steps: [{ live: {} }, { status: { status: { ready: 0 } }, expect: "allow" }] },
  });
});

test("a mutant of a rule that decides as the original does not count", async () => {
  writeCrd([`{"rule": "!has(self.max) || self.max < 5 || self.max >= 5"}`]);
  const { survivors, equivalent } = await survivorsOf(`- {name: any, create: ${CREATE}, expect: allow}\n`);
  expect(equivalent).toBeGreaterThan(0);
  const expressions = survivors.map(({ mutant }) => mutant.expression);
  expect(expressions).toContain("!has(self.max) || self.max < 4 || self.max >= 5");
  expect(expressions).not.toContain("!has(self.max) || self.max < 5 || self.max >= 4");
});

test("each rule without tests gets a refused and an accepted write, and both pass", async () => {
  const file = writeCrd([ORDER, KEPT], [READY]);
  const objects = loadDocuments([file]).map(({ object }) => object);
  const { suite, notes } = await generateCases({ objects, reference: { crds: ["crd.yaml"] } }, [], options);
  expect(notes).toEqual([]);
  const tests = suite !== undefined && isArray(suite["tests"]) ? suite["tests"].filter(isObject) : [];
  expect(tests.length).toBe(6);
  expect((await resultsOf(tests)).map(({ problems }) => problems)).toEqual([[], [], [], [], [], []]);
});

test("only what the suite lacks is generated", async () => {
  writeCrd([ORDER]);
  const [suite] = readSuites([writeSuite(`- {name: ordered, create: ${CREATE}, expect: allow}\n`)]).suites;
  if (suite === undefined) throw new Error("there is a suite");
  const generated = await generateCases(testedBy(suite, folder), [], options);
  expect(generated).toMatchObject({
    cases: 1,
    suite: { crds: ["crd.yaml"], tests: [{ expect: "deny", message: { contains: "min must not be above max" } }] },
  });
});
