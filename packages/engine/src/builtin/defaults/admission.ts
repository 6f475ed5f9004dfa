/** Defaults that policies and webhooks share. Follows pkg/apis/admissionregistration/v1/defaults.go. */
import { newObject } from "../../value/json.ts";
import { type Draft, fill } from "./draft.ts";

export function fillMatch(draft: Draft): void {
  fill(draft, "matchPolicy", "Equivalent");
  fill(draft, "namespaceSelector", newObject());
  fill(draft, "objectSelector", newObject());
}

export function fillRuleScope(rule: Draft): void {
  fill(rule, "scope", "*");
}

export function fillServicePort(service: Draft): void {
  fill(service, "port", 443);
}
