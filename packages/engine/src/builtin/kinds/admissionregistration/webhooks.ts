/** ValidatingWebhookConfiguration and MutatingWebhookConfiguration. Their webhooks are a member of the root. */
import { AGE, count, NAME } from "../../columns/column.ts";
import { fillMatch, fillRuleScope, fillServicePort } from "../../defaults/admission.ts";
import { type Draft, fill } from "../../defaults/draft.ts";
import { objectsOf } from "../../object.ts";
import { defineKind, type KindRules } from "../kind.ts";

const sharedDefaults = { "v1.RuleWithOperations": fillRuleScope, "v1.ServiceReference": fillServicePort };

const shared: KindRules = {
  metadata: { update: "whole" },
  generation: { members: ["webhooks"], countsEmpty: true },
  columns: [NAME, count("Webhooks", (object) => objectsOf(object, "webhooks").length), AGE],
  unconditionalUpdate: false,
};

export const validatingWebhooks = defineKind("admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", {
  ...shared,
  defaults: { ...sharedDefaults, "v1.ValidatingWebhook": fillWebhook },
});

export const mutatingWebhooks = defineKind("admissionregistration.k8s.io/v1", "MutatingWebhookConfiguration", {
  ...shared,
  defaults: { ...sharedDefaults, "v1.MutatingWebhook": fillMutatingWebhook },
});

function fillMutatingWebhook(webhook: Draft): void {
  fillWebhook(webhook);
  fill(webhook, "reinvocationPolicy", "Never");
}

function fillWebhook(webhook: Draft): void {
  fill(webhook, "failurePolicy", "Fail");
  fillMatch(webhook);
  fill(webhook, "timeoutSeconds", 10);
}
