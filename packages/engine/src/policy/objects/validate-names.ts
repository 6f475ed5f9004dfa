/** Names and enumerated texts, as the API server complains about them. */
import { jsonString } from "@portcullis/gostd/json-text";
import { type FieldError, GoJson, invalid, notSupported } from "../../field/error.ts";
import { checkDnsSubdomain, checkQualifiedName, maskTrailingDash } from "../../field/names.ts";
import type { FieldPath } from "../../field/path.ts";
import type { MetaRules } from "../../schema/object-meta.ts";

/** Policies and bindings: cluster-scoped, named like a DNS subdomain. */
export const META_RULES: MetaRules = {
  namespaced: false,
  checkName: (name, isPrefix) => checkDnsSubdomain(isPrefix ? maskTrailingDash(name) : name),
};

/** A value of a named string type: upstream prints it as JSON, not as a Go string. */
export function named(value: string): GoJson {
  return new GoJson(jsonString(value, { escapeHtml: true }));
}

/** Undefined if the value is among the supported ones. */
export function checkSupported(value: string, supported: readonly string[], path: FieldPath): FieldError | undefined {
  return supported.includes(value) ? undefined : notSupported(path, named(value), supported);
}

export function validateQualifiedName(name: string, path: FieldPath): FieldError[] {
  return checkQualifiedName(name).map((problem) => invalid(path, name, problem, "qualifiedName"));
}
