import { afterEach, beforeEach, expect, test } from "vitest";
import { eventually, type Json, TestCluster } from "./cluster.testing.ts";

const GROUP = "policies.example.com";
const POLICIES = `/apis/${GROUP}/v1/validatingadmissionpolicies`;

let cluster: TestCluster;

beforeEach(async () => {
  cluster = await TestCluster.start();
});

afterEach(() => cluster.stop());

/** CRDs with the fields of the built-in kinds. */
async function define(kind: string, subresources: object): Promise<void> {
  const plural = kind.toLowerCase().replace(/y$/, "ies").replace(/g$/, "gs");
  const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
  const version = { name: "v1", served: true, storage: true, schema, subresources };
  const names = { plural, kind };
  await cluster.create("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", {
    metadata: { name: `${plural}.${GROUP}` },
    spec: { group: GROUP, scope: "Cluster", names, versions: [version] },
  });
  await eventually(async () => {
    const served = await cluster.send("GET", `/apis/${GROUP}/v1`);
    expect(served.resources?.some(({ name }: Json) => name === plural)).toBe(true);
  });
}

async function addPolicy(expression: string): Promise<void> {
  await define("ValidatingAdmissionPolicyBinding", {});
  const resourceRules = [{ apiGroups: ["apps"], apiVersions: ["v1"], operations: ["*"], resources: ["deployments"] }];
  await cluster.create(POLICIES, {
    apiVersion: `${GROUP}/v1`,
    kind: "ValidatingAdmissionPolicy",
    metadata: { name: "p" },
    spec: { matchConstraints: { resourceRules }, validations: [{ expression }] },
  });
}

test("policies of a custom API get the status that a control plane would write, also after changes", async () => {
  await define("ValidatingAdmissionPolicy", { status: {} });
  await addPolicy("object.spec.replcas > 1");
  await cluster.startWebhook({ policyApi: `${GROUP}/v1` });
  await eventually(async () => {
    expect((await cluster.send("GET", `${POLICIES}/p`)).status).toEqual({
      observedGeneration: 1,
      typeChecking: {
        expressionWarnings: [
          {
            fieldRef: "spec.validations[0].expression",
            warning:
              "apps/v1, Kind=Deployment: ERROR: <input>:1:12: undefined field 'replcas'\n | object.spec.replcas > 1\n | ...........^\n",
          },
        ],
      },
    });
  });
  const policy = await cluster.send("GET", `${POLICIES}/p`);
  policy.spec.validations[0].expression = "object.spec.replicas > 1";
  await cluster.send("PUT", `${POLICIES}/p`, policy);
  await eventually(async () => {
    const { status } = await cluster.send("GET", `${POLICIES}/p`);
    expect(status).toEqual({ observedGeneration: 2, typeChecking: {} });
  });
});

test("a CRD without a status is reported once, and the webhook continues", async () => {
  await define("ValidatingAdmissionPolicy", {});
  await addPolicy("object.spec.replicas > 1");
  const lines: string[] = [];
  await cluster.startWebhook({ policyApi: `${GROUP}/v1`, log: (line) => lines.push(line) });
  await eventually(async () => expect(lines.join("\n")).toContain("has no status subresource"));
  expect(lines.filter((line) => line.includes("no status subresource")).length).toBe(1);
});
