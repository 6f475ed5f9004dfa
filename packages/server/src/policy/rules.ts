/** What policies and their bindings are judged by when they are written. */
import type { BuiltinResource } from "@portcullis/engine/builtin/builtin";
import type { FieldError } from "@portcullis/engine/field/error";
import { newPath } from "@portcullis/engine/field/path";
import { compatibilityVersion, type KubernetesVersion } from "@portcullis/engine/kubecel";
import { POLICY_GROUP } from "@portcullis/engine/policy/decode";
import { validateMutatingBinding, validateMutatingPolicy } from "@portcullis/engine/policy/mutating/validate";
import { reservedName } from "@portcullis/engine/policy/object-messages";
import { validatePolicy, validatePolicyUpdate } from "@portcullis/engine/policy/validate";
import { validateBinding } from "@portcullis/engine/policy/validate-binding";
import { META_RULES } from "@portcullis/engine/policy/validate-names";
import { validatePolicyStatus } from "@portcullis/engine/policy/validate-status";
import { validateWebhooks } from "@portcullis/engine/policy/validate-webhooks";
import { validateMeta } from "@portcullis/engine/schema/object-meta";
import type { JsonObject } from "@portcullis/engine/value/json";
import type { BuiltinTypeOptions } from "../registry/builtin-types.ts";
import { metaOf, metaText } from "../registry/meta.ts";

export const POLICIES = "validatingadmissionpolicies";
export const BINDINGS = "validatingadmissionpolicybindings";
export const MUTATING_POLICIES = "mutatingadmissionpolicies";
export const MUTATING_BINDINGS = "mutatingadmissionpolicybindings";

/** Nothing for all other kinds. `server` is the version whose expressions may be used. */
export function policyRules({ group, plural }: BuiltinResource, server: KubernetesVersion): BuiltinTypeOptions {
  return group === POLICY_GROUP ? warningOfNames(rulesOf(plural, server)) : {};
}

/** Some names are meant for policies from files. */
function warningOfNames(options: BuiltinTypeOptions): BuiltinTypeOptions {
  const { validateCreate, validateUpdate } = options.rules ?? {};
  const judged = (errors: readonly FieldError[], object: JsonObject, warn: (text: string) => void) => {
    const warning = errors.length === 0 ? reservedName(metaText(object, "name")) : undefined;
    if (warning !== undefined) warn(warning);
    return errors;
  };
  return {
    ...options,
    rules: {
      ...options.rules,
      ...(validateCreate && {
        validateCreate: (object, warn) => judged(validateCreate(object, warn), object, warn),
      }),
      ...(validateUpdate && {
        validateUpdate: (object, old, warn) => judged(validateUpdate(object, old, warn), object, warn),
      }),
    },
  };
}

function rulesOf(plural: string, server: KubernetesVersion): BuiltinTypeOptions {
  if (plural === POLICIES) return rulesOfPolicies(server);
  if (plural === MUTATING_POLICIES) return rulesOfMutatingPolicies(server);
  if (plural === MUTATING_BINDINGS) return MUTATING_BINDING_RULES;
  if (WEBHOOKS.has(plural)) return rulesOfWebhooks(server);
  return plural === BINDINGS ? BINDING_RULES : {};
}

const WEBHOOKS = new Set(["validatingwebhookconfigurations", "mutatingwebhookconfigurations"]);

/** Updates are judged like creates, metadata included, and not by the change of metadata. */
function rulesOfWebhooks(serverVersion: KubernetesVersion): BuiltinTypeOptions {
  const options = { version: compatibilityVersion(serverVersion), serverVersion };
  const judge = (object: JsonObject, old: JsonObject | undefined): FieldError[] => [
    ...validateMeta(metaOf(object), META_RULES, newPath("metadata")),
    ...validateWebhooks(object, old, options),
  ];
  return { rules: { validateCreate: (object) => judge(object, undefined), validateUpdate: judge } };
}

function rulesOfPolicies(serverVersion: KubernetesVersion): BuiltinTypeOptions {
  const options = { version: compatibilityVersion(serverVersion), serverVersion };
  return {
    rules: {
      validateCreate: (object) => validatePolicy(object, options),
      validateUpdate: (object, old) => validatePolicyUpdate(object, old, options),
    },
    validateStatus: (object) => validatePolicyStatus(object),
  };
}

function rulesOfMutatingPolicies(serverVersion: KubernetesVersion): BuiltinTypeOptions {
  const options = { version: compatibilityVersion(serverVersion), serverVersion };
  return {
    rules: {
      validateCreate: (object) => validateMutatingPolicy(object, undefined, options),
      validateUpdate: (object, old) => validateMutatingPolicy(object, old, options),
    },
  };
}

const MUTATING_BINDING_RULES: BuiltinTypeOptions = {
  rules: {
    validateCreate: (object) => validateMutatingBinding(object),
    validateUpdate: (object) => validateMutatingBinding(object),
  },
};

const BINDING_RULES: BuiltinTypeOptions = {
  rules: {
    validateCreate: (object) => validateBinding(object),
    validateUpdate: (object) => validateBinding(object),
  },
};
