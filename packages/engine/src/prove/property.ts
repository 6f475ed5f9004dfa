/** Adds a property to policies: a request that only the extended policies deny violates it. */
import { compiledPolicy } from "../policy/compile.ts";
import { type AdmissionPolicy, readPolicy } from "../policy/policy.ts";
import { PolicySet } from "../policy/policy-set.ts";
import { isArray, isObject, type JsonObject, newObject } from "../value/json.ts";

/** A string is the reason why the expression cannot be a validation of one of them. */
export function withProperty(policies: PolicySet, expression: string): PolicySet | string {
  const asking = policies.hooks.map(({ policy }) => policyAsking(policy, expression));
  const problem = asking
    .map((policy) => compiledPolicy(policy).validations.at(-1)?.error?.detail)
    .find((each) => each !== undefined);
  if (problem !== undefined) return problem;
  const bindings = policies.hooks.flatMap((hook) =>
    hook.bindings.map(({ binding }) => ({ ...binding, validationActions: ["Deny"] })),
  );
  return new PolicySet(asking, bindings);
}

function policyAsking(policy: AdmissionPolicy, expression: string): AdmissionPolicy {
  const { json } = policy;
  const spec = isObject(json["spec"]) ? json["spec"] : newObject();
  const validation: JsonObject = Object.assign(newObject(), { expression });
  const before = isArray(spec["validations"]) ? spec["validations"] : [];
  const changed = Object.assign(newObject(), spec, { validations: [...before, validation] });
  return readPolicy(Object.assign(newObject(), json, { spec: changed }));
}
