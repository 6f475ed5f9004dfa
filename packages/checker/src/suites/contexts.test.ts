/** Every context of CEL: the examples pass, and an expectation that is wrong fails. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { engineOptions } from "portcullis/internal/frame/engine-options";
import { afterAll, describe, expect, test } from "vitest";
import { suiteFiles } from "./suite-files.ts";
import { readSuites } from "./suite-read.ts";
import { newContext, runSuite } from "./suite-run.ts";

const EXAMPLES = fileURLToPath(new URL("../../../../examples/tests", import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), "portcullis-suites-"));
afterAll(() => rmSync(folder, { recursive: true }));

async function problemsOf(file: string, version?: string): Promise<string[]> {
  const { suites, problems } = readSuites([file]);
  const context = newContext(engineOptions(version, undefined));
  const found = problems.map(({ message }) => message);
  for (const suite of suites) {
    const { results, problems: own } = await runSuite(suite, context);
    found.push(...results.flatMap((each) => each.problems), ...own.map(({ message }) => message));
  }
  return found;
}

/** One case, beside the files of an example. */
async function problemsOfCase(name: string, suite: string, test: string): Promise<string[]> {
  const file = path.join(folder, "suite.yaml");
  const text = suite.replaceAll("@", path.join(EXAMPLES, name));
  writeFileSync(file, `apiVersion: test.portcullis.dev/v1\nkind: TestSuite\n${text}\ntests:\n- ${test}\n`);
  return problemsOf(file);
}

test.each(suiteFiles([EXAMPLES]))("$file passes", async ({ file }) => {
  expect(await problemsOf(file)).toEqual([]);
});

const QUEUE = "{apiVersion: example.com/v1, kind: Queue, metadata: {name: q}, spec: {name: mail}}";

describe("writes", () => {
  const run = (test: string): Promise<string[]> => problemsOfCase("crd-rules", "crds: ['@/crd.yaml']", test);

  test.each([
    [`{create: ${QUEUE}, expect: deny}`, "expected outcome deny, got allow"],
    [`{create: ${QUEUE}, expect: allow, stored: {spec: {max: 11}}}`, "expected stored.spec.max 11, got 10"],
    [
      `{create: ${QUEUE}, expect: allow, stored: {spec: {max: null}}}`,
      "expected stored.spec.max no such field, got 10",
    ],
    [`{create: ${QUEUE}, expect: allow, storedExactly: ${QUEUE}}`, "expected stored.spec.max no such field, got 10"],
    [`{create: ${QUEUE}, expect: allow, warnings: [none]}`, "expected warning none, got none"],
    [`{create: ${QUEUE}, expect: deny, code: 422}`, "expected code 422, got none"],
    [`{update: ${QUEUE}, expect: allow}`, "there is no object to update; create one in a step before, or give `live`"],
    [
      `{create: {apiVersion: a.b/v1, kind: Q}, expect: allow}`,
      "there is no a.b/v1 Q among the inputs and the built-in kinds",
    ],
    [
      `{steps: [{create: ${QUEUE}, expect: allow}, {delete: true, expect: deny}]}`,
      "steps[1]: expected outcome deny, got allow",
    ],
    [`{steps: [{patchCrd: [{op: remove, path: /none}]}]}`, "steps[0]: patchCrd: the result is not an object"],
  ])("%s", async (test, problem) => {
    expect(await run(test)).toContain(problem);
  });

  test("an update of an invalid object is ratcheted", async () => {
    const live = QUEUE.replace("mail", "a-name-that-is-much-too-long-for-the-schema");
    expect(await run(`{live: ${live}, update: ${live}, expect: allow}`)).toEqual([]);
    expect(await run(`{create: ${live}, expect: allow}`)).toHaveLength(1);
  });

  test("a CRD that the API server refuses is reported", async () => {
    const test = `{steps: [{patchCrd: {spec: {group: ""}}, expect: allow}]}`;
    expect(await run(test)).toEqual([expect.stringContaining("CustomResourceDefinition.apiextensions.k8s.io")]);
  });
});

describe("other contexts", () => {
  test.each([
    ["expressions", "", `{expression: 1 + 1, value: 3}`, "expected value 3, got 2"],
    ["expressions", "", `{expression: 1 / 0, value: 3}`, "expected value 3, got division by zero"],
    ["expressions", "", `{expression: 1 + 1, value: 2, cost: 7}`, "expected cost 7, got 1"],
    ["expressions", "", `{expression: 1 + 1, value: 2, cost: {max: 0}}`, "expected cost at most 0, got 1"],
    [
      "devices",
      "",
      `{device: {driver: d}, selectors: ["device.driver == 'e'"], expect: match}`,
      "expected outcome match, got skip: device.driver == 'e' is false",
    ],
    [
      "devices",
      "",
      `{device: {driver: d, attributes: {a: {}}}, selectors: ["true"], expect: match}`,
      "expected outcome match, got error: attribute a: unsupported attribute value",
    ],
    [
      "authorization",
      "authorization: '@/configuration.yaml'",
      `{accessReview: {user: a}, expect: skip, webhooks: {tenants: asked}}`,
      "expected webhook tenants asked, got not asked",
    ],
    [
      "authentication",
      "authentication: '@/configuration.yaml'",
      `{claims: {iss: "https://id.example.com", email: e, roles: r, sub: s, tenant: t, nbf: 0, exp: 1}, expect: allow, user: {uid: x}}`,
      `expected user.uid "x", got "s"`,
    ],
    [
      "mutating-policy",
      "policies: ['@/policy.yaml']",
      `{object: {apiVersion: v1, kind: ConfigMap, metadata: {name: c}}, expect: allow, patch: {data: {a: b}}}`,
      `expected patched.data {"a":"b"}, got no such field`,
    ],
    [
      "match-conditions",
      "webhooks: ['@/webhook.yaml']",
      `{object: {apiVersion: v1, kind: ConfigMap, metadata: {name: c}}, expect: skip, webhooks: {none: asked}}`,
      "expected webhook none asked, got no such webhook",
    ],
  ])("%s: %s %s", async (name, suite, test, problem) => {
    expect(await problemsOfCase(name, suite, test)).toContain(problem);
  });

  test.each([
    ["{claims: {}, expect: allow}", "`authentication` is missing"],
    ["{accessReview: {}, expect: match}", "`authorization` is missing"],
    ["{device: {driver: d}, expect: match}", "`selectors` is missing"],
    ["{expression: '1'}", "an expression needs either `value` or `expect: error`"],
    ["{expression: '1', value: 1, variabels: {}}", "has an unknown field `variabels`"],
    [
      "{device: {driver: d}, selectors: 'true', expect: allow}",
      "unknown expectation `allow`; one of match, skip, error",
    ],
    ["{create: {}, update: {}, expect: allow}", "a write is one of create, update"],
  ])("%s is reported and does not end the run", async (test, problem) => {
    const found = await problemsOfCase("", "", `${test}\n- {expression: 1 + 1, value: 3}`);
    expect(found).toEqual(["expected value 3, got 2", expect.stringContaining(problem)]);
  });

  test("a configuration that the API server would not start with is reported with its place", async () => {
    const suite = "authentication: {jwt: [{issuer: {url: i}, claimMappings: {username: {expression: claims +}}}]}";
    const [problem] = await problemsOfCase("", suite, "{claims: {iss: i}, expect: allow}");
    expect(problem).toContain("jwt[0].claimMappings.username: compilation failed: ERROR: <input>:1:9");
  });
});
