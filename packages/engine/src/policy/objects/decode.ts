/**
 * Policies and bindings as the API server has them after decoding: known fields only, of the right types, with the
 * defaults of their version.
 *
 * Only v1alpha1 defaults `parameterNotFoundAction`; later versions require it. Follows kubernetes
 * pkg/apis/admissionregistration, defaults.go of each version.
 */
import { decodeGo } from "../../field/go-decode.ts";
import type { GoStruct } from "../../field/go-shape.ts";
import { isArray, isObject, type JsonObject, type JsonValue, newObject } from "../../value/json.ts";
import { objectOf } from "../../value/read.ts";
import { copyObject, withMember } from "../../value/rewrite.ts";
import { type PolicyShapes, policyShapes } from "./shape.ts";

export const POLICY_GROUP = "admissionregistration.k8s.io";

/** The versions manifests may be written in. Only v1 is served. */
const POLICY_VERSIONS = ["v1", "v1beta1", "v1alpha1"] as const;
export type PolicyVersion = (typeof POLICY_VERSIONS)[number];

export interface DecodedObject {
  readonly value: JsonObject;
  /** Paths of unknown fields, in the order of the document. */
  readonly unknown: readonly string[];
  /** The error that ends the decoding, as encoding/json reports it. */
  readonly error: string | undefined;
}

const shapes = new Map<PolicyVersion, PolicyShapes>();

function shapesOf(version: PolicyVersion): PolicyShapes {
  let made = shapes.get(version);
  if (made === undefined) {
    made = policyShapes(version);
    shapes.set(version, made);
  }
  return made;
}

/** Decodes and defaults a ValidatingAdmissionPolicy. */
export function decodePolicy(json: JsonObject, version: PolicyVersion = "v1"): DecodedObject {
  const decoded = decode(json, shapesOf(version).policy);
  return { ...decoded, value: applyPolicyDefaults(decoded.value) };
}

/** Its defaults are those of other policies. */
export function decodeMutatingPolicy(json: JsonObject, version: PolicyVersion = "v1"): DecodedObject {
  const decoded = decode(json, shapesOf(version).mutatingPolicy);
  return { ...decoded, value: applyPolicyDefaults(decoded.value) };
}

/** Decodes and defaults a MutatingAdmissionPolicyBinding. */
export function decodeMutatingBinding(json: JsonObject, version: PolicyVersion = "v1"): DecodedObject {
  const decoded = decode(json, shapesOf(version).mutatingBinding);
  return { ...decoded, value: applyBindingDefaults(decoded.value, version) };
}

/** Decodes and defaults a ValidatingAdmissionPolicyBinding. */
export function decodeBinding(json: JsonObject, version: PolicyVersion = "v1"): DecodedObject {
  const decoded = decode(json, shapesOf(version).binding);
  return { ...decoded, value: applyBindingDefaults(decoded.value, version) };
}

function decode(json: JsonObject, shape: GoStruct): DecodedObject {
  const { value, unknown, error } = decodeGo(json, shape);
  return { value: isObject(value) ? value : newObject(), unknown, error };
}

/** The version a manifest is written in, where it is a policy's or a binding's. */
export function policyVersionOf(object: JsonObject): PolicyVersion | undefined {
  return POLICY_VERSIONS.find((version) => object["apiVersion"] === `${POLICY_GROUP}/${version}`);
}

function applyPolicyDefaults(json: JsonObject): JsonObject {
  const spec = copyObject(objectOf(json["spec"]));
  spec["failurePolicy"] ??= "Fail";
  if (isObject(spec["matchConstraints"])) spec["matchConstraints"] = defaultMatch(spec["matchConstraints"]);
  return withMember(json, "spec", spec);
}

function applyBindingDefaults(json: JsonObject, version: PolicyVersion = "v1"): JsonObject {
  const spec = copyObject(objectOf(json["spec"]));
  if (isObject(spec["matchResources"])) spec["matchResources"] = defaultMatch(spec["matchResources"]);
  const paramRef = spec["paramRef"];
  if (version === "v1alpha1" && isObject(paramRef) && paramRef["parameterNotFoundAction"] === undefined) {
    spec["paramRef"] = withMember(paramRef, "parameterNotFoundAction", "Deny");
  }
  return withMember(json, "spec", spec);
}

function defaultMatch(json: JsonObject): JsonObject {
  const match = copyObject(json);
  match["matchPolicy"] ??= "Equivalent";
  match["namespaceSelector"] ??= newObject();
  match["objectSelector"] ??= newObject();
  for (const rules of ["resourceRules", "excludeResourceRules"]) {
    const list = match[rules];
    if (isArray(list)) match[rules] = list.map(defaultRule);
  }
  return match;
}

function defaultRule(rule: JsonValue): JsonValue {
  return isObject(rule) && rule["scope"] === undefined ? withMember(rule, "scope", "*") : rule;
}
