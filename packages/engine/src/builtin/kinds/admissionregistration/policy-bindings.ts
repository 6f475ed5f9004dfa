/** ValidatingAdmissionPolicyBinding and MutatingAdmissionPolicyBinding. They are validated in `policy`. */
import { isObject, type JsonObject } from "../../../value/json.ts";
import { canonicalJson } from "../../../value/text.ts";
import { AGE, NAME, spec, specText, text } from "../../columns/column.ts";
import { fillMatch, fillRuleScope } from "../../defaults/admission.ts";
import { objectOf, textOf } from "../../object.ts";
import { defineKind, type KindRules, SPEC_GENERATION } from "../kind.ts";

const shared: KindRules = {
  defaults: { "v1.NamedRuleWithOperations": fillRuleScope, "v1.MatchResources": fillMatch },
  generation: SPEC_GENERATION,
  columns: [
    NAME,
    specText("PolicyName", "policyName"),
    text("ParamRef", (binding) => paramRefText(objectOf(spec(binding), "paramRef"))),
    AGE,
  ],
  unconditionalUpdate: false,
};

export const validatingPolicyBinding = defineKind(
  "admissionregistration.k8s.io/v1",
  "ValidatingAdmissionPolicyBinding",
  shared,
);

export const mutatingPolicyBinding = defineKind(
  "admissionregistration.k8s.io/v1",
  "MutatingAdmissionPolicyBinding",
  shared,
);

function paramRefText(reference: JsonObject | undefined): string {
  if (reference === undefined) return "<unset>";
  const { selector } = reference;
  if (isObject(selector)) return canonicalJson(selector);
  return `${textOf(reference, "namespace") || "*"}/${textOf(reference, "name")}`;
}
