import { expect, test } from "vitest";
import { create, updateStatus } from "../kind.testing.ts";

const webhook = { name: "a.example.com", clientConfig: { service: { namespace: "n", name: "s" } } };

test("a webhook has defaults", () => {
  const { object } = create("admissionregistration.k8s.io/v1/MutatingWebhookConfiguration", { webhooks: [webhook] });
  const defaults = {
    failurePolicy: "Fail",
    matchPolicy: "Equivalent",
    timeoutSeconds: 10,
    reinvocationPolicy: "Never",
  };
  expect(object).toMatchObject({
    metadata: { generation: 1 },
    webhooks: [{ ...defaults, clientConfig: { service: { port: 443 } } }],
  });
});

test("the match constraints of a policy have defaults", () => {
  const spec = { matchConstraints: { resourceRules: [{ operations: ["CREATE"] }] } };
  const { object } = create("admissionregistration.k8s.io/v1/ValidatingAdmissionPolicy", { spec });
  expect(object).toMatchObject({
    spec: { failurePolicy: "Fail", matchConstraints: { matchPolicy: "Equivalent", resourceRules: [{ scope: "*" }] } },
  });
});

test("a write of a policy's status keeps its labels", () => {
  const policy = { metadata: { labels: { a: "b" } }, spec: {} };
  const { object } = updateStatus("admissionregistration.k8s.io/v1/ValidatingAdmissionPolicy", policy, {});
  expect(object).toMatchObject({ metadata: { labels: { a: "b" } } });
});
