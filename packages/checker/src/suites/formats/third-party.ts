/** Shared code for the test files of other tools. */
import { fromPlain } from "@portcullis/engine/internal/value/copy";
import { isArray, isObject, type JsonObject, type JsonValue } from "@portcullis/engine/internal/value/json";
import { metaOf, textOf } from "@portcullis/engine/internal/value/metadata";
import { withMember } from "@portcullis/engine/internal/value/rewrite";
import { UnsupportedError, UsageError } from "../../input/usage-error.ts";
import * as messages from "../../policy/messages.ts";
import { isPolicyObject } from "../../policy/policy-objects.ts";

export function nameOf(object: JsonObject): string {
  const { name } = metaOf(object);
  return typeof name === "string" ? name : "";
}

export function isPolicy(object: JsonObject): boolean {
  return isPolicyObject(object) && object["kind"] === "ValidatingAdmissionPolicy";
}

export function isBinding(object: JsonObject): boolean {
  return isPolicyObject(object) && object["kind"] === "ValidatingAdmissionPolicyBinding";
}

export function isMutatingPolicy(object: JsonObject): boolean {
  return isPolicyObject(object) && object["kind"] === "MutatingAdmissionPolicy";
}

/** For tools that apply a policy without any binding. */
export function bindingFor(
  policy: string,
  paramRef?: Readonly<Record<string, string>>,
  kind: "Validating" | "Mutating" = "Validating",
): JsonObject {
  const made = fromPlain({
    apiVersion: "admissionregistration.k8s.io/v1",
    kind: `${kind}AdmissionPolicyBinding`,
    metadata: { name: policy },
    spec: {
      policyName: policy,
      ...(kind === "Validating" && { validationActions: ["Deny"] }),
      ...(paramRef !== undefined && { paramRef }),
    },
  });
  if (!isObject(made)) throw new Error("not an object");
  return made;
}

/**
 * The policy of that name, its bindings, and all objects that are not policies. A policy without a binding gets one.
 */
export function onlyPolicy(name: string, objects: readonly JsonObject[], file: string): JsonObject[] {
  const policy = objects.find((object) => isPolicy(object) && nameOf(object) === name);
  if (policy === undefined) {
    const other = objects.find((object) => nameOf(object) === name && /Policy$/.test(String(object["kind"])));
    if (other !== undefined)
      throw new UnsupportedError(messages.unsupportedPolicy(file, `${String(other["kind"])} ${name}`));
    throw new UsageError(
      messages.unsupportedFeature(file, `policy ${name}`, "there is no such ValidatingAdmissionPolicy"),
    );
  }
  const bindings = objects.filter((object) => isBinding(object) && policyNameOf(object) === name);
  const others = objects.filter((object) => !isPolicyObject(object));
  return [policy, ...(bindings.length === 0 ? [bindingFor(name)] : bindings), ...others];
}

/** A policy that was converted from another language, with the policies that its tool generates from it or its rules. */
export function convertedPolicies(name: string, objects: readonly JsonObject[]): readonly JsonObject[] | undefined {
  const isOwn = (each: string): boolean =>
    each === name || each.startsWith(`${name}-autogen-`) || each.startsWith(`${name}.`);
  const policies = objects.filter((each) => (isPolicy(each) || isMutatingPolicy(each)) && isOwn(nameOf(each)));
  if (policies.length === 0) return undefined;
  const bindings = objects.filter((each) => isPolicyObject(each) && isOwn(textOf(policyNameOf(each))));
  return [...policies, ...bindings, ...objects.filter((each) => !isPolicyObject(each))];
}

function policyNameOf(binding: JsonObject): JsonValue | undefined {
  return isObject(binding["spec"]) ? binding["spec"]["policyName"] : undefined;
}

const EVERYTHING = { apiGroups: ["*"], apiVersions: ["*"], operations: ["*"], resources: ["*/*"] };

/** Makes a policy match everything; other objects are unchanged. */
export function withoutRules(object: JsonObject): JsonObject {
  if (!(isPolicy(object) || isMutatingPolicy(object)) || !isObject(object["spec"])) return object;
  const match = fromPlain({ resourceRules: [EVERYTHING] });
  return withMember(object, "spec", withMember(object["spec"], "matchConstraints", match));
}

/** Rules without operations match all of them. */
export function withOperations(object: JsonObject): JsonObject {
  if (!isPolicy(object) || !isObject(object["spec"])) return object;
  const { spec } = object;
  const match = spec["matchConstraints"];
  if (!isObject(match) || !isArray(match["resourceRules"])) return object;
  const rules = match["resourceRules"].map((rule) =>
    isObject(rule) && rule["operations"] === undefined ? withMember(rule, "operations", ["*"]) : rule,
  );
  return withMember(object, "spec", withMember(spec, "matchConstraints", withMember(match, "resourceRules", rules)));
}
