/** Requests and manifests that tests of the early shape share. */
import { expect } from "vitest";
import type { JsonObject } from "../../value/json.ts";
import { decodeBinding, decodePolicy } from "../objects/decode.ts";
import { validatePolicy } from "../objects/validate.ts";
import { validateBinding } from "../objects/validate-binding.ts";
import { type TestRequest, yaml } from "../policy.testing.ts";
import { convertDraftPolicy, type DraftConversion } from "./convert.ts";

const deploymentKind = { group: "apps", version: "v1", kind: "Deployment" };
const deployments = { group: "apps", version: "v1", resource: "deployments" };

export function deployment(replicas: number, namespace = "default"): TestRequest {
  const object = { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "d", namespace }, spec: { replicas } };
  return { resource: deployments, kind: deploymentKind, object };
}

export function pod(name: string, spec: object = {}): TestRequest {
  const object = { apiVersion: "v1", kind: "Pod", metadata: { name, namespace: "default" }, spec };
  const resource = { group: "", version: "v1", resource: "pods" };
  return { resource, kind: { group: "", version: "v1", kind: "Pod" }, object };
}

export function widget(version: string, fields: object): TestRequest {
  const object = {
    apiVersion: `example.com/${version}`,
    kind: "My",
    metadata: { name: "w", namespace: "default" },
    ...fields,
  };
  const resource = { group: "example.com", version, resource: "myCRD" };
  return { resource, kind: { group: "example.com", version, kind: "My" }, object };
}

/** Converts and requires that the API server accepts everything that was made. */
export function convert(text: string): DraftConversion {
  const converted = convertDraftPolicy(yaml(text));
  for (const object of converted.objects) expect(problemsOf(object)).toEqual([]);
  return converted;
}

function problemsOf(object: JsonObject): unknown[] {
  if (object["kind"] === "ValidatingAdmissionPolicy") {
    const { value, unknown, error } = decodePolicy(object);
    return [...unknown, ...(error === undefined ? [] : [error]), ...validatePolicy(value)];
  }
  if (object["kind"] !== "ValidatingAdmissionPolicyBinding") return [];
  const { value, unknown, error } = decodeBinding(object);
  return [...unknown, ...(error === undefined ? [] : [error]), ...validateBinding(value)];
}

export const namespaces = ["test", "prod", "dev"]
  .map((env) => `---\napiVersion: v1\nkind: Namespace\nmetadata: {name: ${env}, labels: {environment: ${env}}}\n`)
  .join("");

export const REPLICA_POLICY = `
apiVersion: admissionregistration.k8s.io/v1alpha1
kind: ValidatingAdmissionPolicy
metadata:
  name: "validate-xyz.example.com"
spec:
  config:
    group: rules.example.com
    kind: ReplicaLimit
    version: v1
  match:
    rules:
    - apiGroups:   ["apps"]
      apiVersions: ["v1"]
      operations:  ["CREATE", "UPDATE"]
      resources:   ["deployments"]
      scope:       "*"
  validations:
    - expression: "object.spec.replicas <= config.maxReplicas"
`;

export const replicaLimit = (name: string, match: string, max: number) => `
---
apiVersion: rules.example.com/v1
kind: ReplicaLimit
metadata:
  name: "${name}"
spec:
${match}
  maxReplicas: ${max}
`;

export const selects = (environment: string) => `
  match:
    namespaceSelectors:
    - key: environment,
      operator: In,
      values: ["${environment}"]`;
