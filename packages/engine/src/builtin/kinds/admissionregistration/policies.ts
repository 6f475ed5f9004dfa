/** ValidatingAdmissionPolicy and MutatingAdmissionPolicy. Their expressions are compiled and validated in `policy`. */
import type { JsonObject } from "../../../value/json.ts";
import { AGE, type ColumnDefinition, count, NAME, spec, text } from "../../columns/column.ts";
import { fillMatch, fillRuleScope } from "../../defaults/admission.ts";
import { type Draft, fill } from "../../defaults/draft.ts";
import { objectOf, objectsOf, textOf } from "../../object.ts";
import { keepMetadata, STATUS_RESETS_METADATA } from "../keep-metadata.ts";
import { defineKind, SPEC_GENERATION } from "../kind.ts";

const matchDefaults = { "v1.NamedRuleWithOperations": fillRuleScope, "v1.MatchResources": fillMatch };

export const validatingPolicy = defineKind("admissionregistration.k8s.io/v1", "ValidatingAdmissionPolicy", {
  defaults: { ...matchDefaults, "v1.ValidatingAdmissionPolicySpec": fillFailurePolicy },
  ownsStatus: true,
  generation: SPEC_GENERATION,
  prepareStatusUpdate: keepMetadata,
  columns: policyColumns(count("Validations", (policy) => objectsOf(spec(policy), "validations").length)),
  unconditionalUpdate: false,
  resetFields: STATUS_RESETS_METADATA,
});

export const mutatingPolicy = defineKind("admissionregistration.k8s.io/v1", "MutatingAdmissionPolicy", {
  defaults: { ...matchDefaults, "v1.MutatingAdmissionPolicySpec": fillFailurePolicy },
  generation: SPEC_GENERATION,
  columns: policyColumns(count("Mutations", (policy) => objectsOf(spec(policy), "mutations").length)),
  unconditionalUpdate: false,
});

function fillFailurePolicy(draft: Draft): void {
  fill(draft, "failurePolicy", "Fail");
}

function policyColumns(rules: ColumnDefinition): ColumnDefinition[] {
  return [NAME, rules, text("ParamKind", (policy) => paramKindText(objectOf(spec(policy), "paramKind"))), AGE];
}

function paramKindText(kind: JsonObject | undefined): string {
  return kind === undefined ? "<unset>" : `${textOf(kind, "apiVersion")}/${textOf(kind, "kind")}`;
}
