import { expect, test } from "vitest";
import { type Client, type Json, openClient } from "../app/app.testing.ts";

const GROUP = "/apis/admissionregistration.k8s.io/v1";
const MAPS = "/api/v1/namespaces/default/configmaps";

interface Enacted {
  readonly api: Client;
  /** The annotations of the last event, without those of authorization. */
  readonly annotations: () => Record<string, string>;
}

async function enact(name: string, spec: object, ...bindings: readonly object[]): Promise<Enacted> {
  const lines: string[] = [];
  const api = await openClient({ audit: { write: (line) => void lines.push(line) } });
  const resourceRules = [{ apiGroups: [""], apiVersions: ["v1"], operations: ["*"], resources: ["configmaps"] }];
  const policy = { metadata: { name }, spec: { matchConstraints: { resourceRules }, ...spec } };
  expect((await api.post(`${GROUP}/validatingadmissionpolicies`, policy)).code).toBe(201);
  for (const [index, binding] of bindings.entries()) {
    const spec = { policyName: name, validationActions: ["Audit"], ...binding };
    const { code } = await api.post(`${GROUP}/validatingadmissionpolicybindings`, {
      metadata: { name: `b${index + 1}` },
      spec,
    });
    expect(code).toBe(201);
  }
  const annotations = (): Record<string, string> => {
    const event: Json = JSON.parse(lines.at(-1) ?? "{}");
    const entries = Object.entries<string>(event.annotations).filter(([key]) => !key.startsWith("authorization."));
    return Object.fromEntries(entries);
  };
  return { api, annotations };
}

const FAILURE = "validation.policy.admission.k8s.io/validation_failure";

test("action Audit records the failures of a request, in the JSON that upstream writes", async () => {
  const validations = [{ expression: "object.metadata.name != 'a'", message: 'show <us> & "quote" é' }];
  const spec = { validations: [...validations, { expression: "false", message: "second" }] };
  const { api, annotations } = await enact("audit-only", spec, {}, { validationActions: ["Audit", "Warn"] });
  expect((await api.post(MAPS, { metadata: { name: "a" } })).code).toBe(201);
  expect(annotations()).toEqual({
    [FAILURE]:
      '[{"message":"show \\u003cus\\u003e \\u0026 \\"quote\\" é","policy":"audit-only","binding":"b1","expressionIndex":0,"validationActions":["Audit"]},' +
      '{"message":"second","policy":"audit-only","binding":"b1","expressionIndex":1,"validationActions":["Audit"]},' +
      '{"message":"show \\u003cus\\u003e \\u0026 \\"quote\\" é","policy":"audit-only","binding":"b2","expressionIndex":0,"validationActions":["Audit","Warn"]},' +
      '{"message":"second","policy":"audit-only","binding":"b2","expressionIndex":1,"validationActions":["Audit","Warn"]}]',
  });
});

test("declared annotations are recorded for refusals, dry runs and writes", async () => {
  const auditAnnotations = [
    { key: "who", valueExpression: "'name is ' + object.metadata.name" },
    { key: "nothing", valueExpression: "''" },
  ];
  const validations = [{ expression: "object.metadata.name != 'bad'", reason: "Forbidden" }];
  const spec = { validations, auditAnnotations };
  const { api, annotations } = await enact("p", spec, { validationActions: ["Deny", "Audit"] });
  expect((await api.post(MAPS, { metadata: { name: "bad" } })).code).toBe(403);
  expect(annotations()).toEqual({
    "p/who": "name is bad",
    [FAILURE]: expect.stringContaining('"validationActions":["Deny","Audit"]'),
  });
  expect((await api.post(`${MAPS}?dryRun=All`, { metadata: { name: "tried" } })).code).toBe(201);
  expect(annotations()).toEqual({ "p/who": "name is tried" });
});

test("values over all params are joined, each once", async () => {
  const param = (name: string) => ({ metadata: { name, labels: { is: "param" } } });
  const spec = {
    paramKind: { apiVersion: "v1", kind: "ConfigMap" },
    validations: [{ expression: "true" }],
    auditAnnotations: [
      { key: "param", valueExpression: "string(params.metadata.name)" },
      { key: "same", valueExpression: "'same'" },
    ],
  };
  const paramRef = { selector: { matchLabels: { is: "param" } }, parameterNotFoundAction: "Allow" };
  const { api, annotations } = await enact("params", spec, { paramRef });
  for (const name of ["one", "two"]) await api.post(MAPS, param(name));
  await api.post(MAPS, { metadata: { name: "c" } });
  expect(annotations()).toEqual({ "params/param": "one, two", "params/same": "same" });
});

test("a long value is cut at 10240 bytes, as bytes", async () => {
  const auditAnnotations = [{ key: "cut", valueExpression: "string(object.data.long)" }];
  const { api, annotations } = await enact("cut", { validations: [{ expression: "true" }], auditAnnotations }, {});
  await api.post(MAPS, { metadata: { name: "c" }, data: { long: `x${"é".repeat(6000)}` } });
  expect(annotations()).toEqual({ "cut/cut": `x${"é".repeat(5119)}\ufffd` });
});

test("failed validations are counted under upstream's names and labels", async () => {
  const spec = {
    failurePolicy: "Ignore",
    matchConditions: [
      { name: "c", expression: "object.metadata.name != 'skip'" },
      { name: "d", expression: "object.metadata.name != 'boom' || object.nope == 1" },
    ],
    validations: [{ expression: "object.nope == 1" }, { expression: "object.metadata.name == 'ok'" }],
  };
  const { api } = await enact("errs", spec, { validationActions: ["Warn", "Audit"] });
  for (const name of ["ok", "boom", "skip", "other"]) await api.post(MAPS, { metadata: { name } });
  const { text } = await api.get("/metrics");
  const lines = text
    .split("\n")
    .filter((line) => /policy_check_(total|.*count)|match_condition.*(total|count)/.test(line));
  const condition = '{kind="policy",name="errs",operation="CREATE",type="validate"}';
  const check = (action: string) =>
    `{enforcement_action="${action}",error_type="invalid_error",policy="errs",policy_binding="b1"}`;
  expect(lines.filter((line) => !line.startsWith("#"))).toEqual([
    `apiserver_admission_match_condition_evaluation_errors_total${condition} 1`,
    `apiserver_admission_match_condition_evaluation_seconds_count${condition} 2`,
    `apiserver_validating_admission_policy_check_duration_seconds_count${check("allow")} 2`,
    `apiserver_validating_admission_policy_check_duration_seconds_count${check("audit")} 1`,
    `apiserver_validating_admission_policy_check_duration_seconds_count${check("warn")} 1`,
    `apiserver_validating_admission_policy_check_total${check("allow")} 2`,
    `apiserver_validating_admission_policy_check_total${check("audit")} 1`,
    `apiserver_validating_admission_policy_check_total${check("warn")} 1`,
  ]);
  const bounds = text.match(/policy_check_duration_seconds_bucket\{enforcement_action="warn".*?le="(.*?)"/g);
  expect(bounds?.map((line) => line.match(/le="(.*)"/)?.[1])).toEqual(["5e-07", "0.001", "0.01", "0.1", "1", "+Inf"]);
  expect(text).toContain('controller_admission_duration_seconds_count{name="ValidatingAdmissionPolicy"');
});
