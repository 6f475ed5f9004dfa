/** The rules for admission policies, their bindings and webhook configurations as objects. */

import type { BuiltinResource } from "../../builtin/builtin.ts";
import { asPrinted } from "../../builtin/validate/go-values.ts";
import { type FieldError, invalid } from "../../field/error.ts";
import { newPath } from "../../field/path.ts";
import { compatibilityVersion, type KubernetesVersion } from "../../kubecel/versions.ts";
import { validateMutatingBinding, validateMutatingPolicy } from "../../policy/mutating/validate.ts";
import { POLICY_GROUP } from "../../policy/objects/decode.ts";
import { reservedName } from "../../policy/objects/object-messages.ts";
import { validatePolicy, validatePolicyUpdate } from "../../policy/objects/validate.ts";
import { validateBinding } from "../../policy/objects/validate-binding.ts";
import { META_RULES } from "../../policy/objects/validate-names.ts";
import { validatePolicyStatus } from "../../policy/objects/validate-status.ts";
import { validateWebhooks } from "../../policy/objects/validate-webhooks.ts";
import { validateMeta } from "../../schema/object-meta.ts";
import type { JsonObject } from "../../value/json.ts";
import { metaOf, metaText } from "../../value/metadata.ts";
import type { EngineOptions } from "../custom-resource/custom-resource.ts";
import type { BuiltInKindOptions } from "./built-in.ts";

export const VALIDATING_POLICIES = "validatingadmissionpolicies";
export const VALIDATING_BINDINGS = "validatingadmissionpolicybindings";
export const MUTATING_POLICIES = "mutatingadmissionpolicies";
export const MUTATING_BINDINGS = "mutatingadmissionpolicybindings";

/** Nothing for all other kinds. The version is that whose expressions may be used. */
export function admissionConfigurationRules(
  { group, plural }: BuiltinResource,
  { version, gates }: EngineOptions,
): BuiltInKindOptions {
  if (group !== POLICY_GROUP) return {};
  const rules = withNameWarning(rulesOf(plural, version));
  return gates.ManifestBasedAdmissionControlConfig === true ? withNameCheck(rules) : rules;
}

/** Where configurations come from files, their names are not for others. */
function withNameCheck(options: BuiltInKindOptions): BuiltInKindOptions {
  const { validateCreate } = options.rules ?? {};
  if (validateCreate === undefined) return options;
  const checked: typeof validateCreate = (object, warn) => {
    const name = metaText(object, "name");
    const problem = reservedName(name);
    const found = problem === undefined ? [] : [invalid(newPath("metadata", "name"), name, problem)];
    return [...validateCreate(object, problem === undefined ? warn : () => {}), ...found];
  };
  return { ...options, rules: { ...options.rules, validateCreate: checked } };
}

/** Some names are meant for policies from files. */
function withNameWarning(options: BuiltInKindOptions): BuiltInKindOptions {
  const { validateCreate, validateUpdate } = options.rules ?? {};
  const checked = (errors: readonly FieldError[], object: JsonObject, warn: (text: string) => void) => {
    if (errors.length > 0) return asPrinted([...errors]);
    const problem = reservedName(metaText(object, "name"));
    if (problem !== undefined) warn(`metadata.name: ${problem}`);
    return errors;
  };
  return {
    ...options,
    rules: {
      ...options.rules,
      ...(validateCreate && {
        validateCreate: (object, warn) => checked(validateCreate(object, warn), object, warn),
      }),
      ...(validateUpdate && {
        validateUpdate: (object, old, warn) => checked(validateUpdate(object, old, warn), object, warn),
      }),
    },
  };
}

function rulesOf(plural: string, server: KubernetesVersion): BuiltInKindOptions {
  if (plural === VALIDATING_POLICIES) return rulesOfPolicies(server);
  if (plural === MUTATING_POLICIES) return rulesOfMutatingPolicies(server);
  if (plural === MUTATING_BINDINGS) return MUTATING_BINDING_RULES;
  if (WEBHOOKS.has(plural)) return rulesOfWebhooks(server);
  return plural === VALIDATING_BINDINGS ? BINDING_RULES : {};
}

const WEBHOOKS = new Set(["validatingwebhookconfigurations", "mutatingwebhookconfigurations"]);

/** Updates are validated like creates, metadata included, and not by the change of metadata. */
function rulesOfWebhooks(serverVersion: KubernetesVersion): BuiltInKindOptions {
  const options = { version: compatibilityVersion(serverVersion), serverVersion };
  const validate = (object: JsonObject, old: JsonObject | undefined): FieldError[] => [
    ...validateMeta(metaOf(object), META_RULES, newPath("metadata")),
    ...validateWebhooks(object, old, options),
  ];
  return { rules: { validateCreate: (object) => validate(object, undefined), validateUpdate: validate } };
}

function rulesOfPolicies(serverVersion: KubernetesVersion): BuiltInKindOptions {
  const options = { version: compatibilityVersion(serverVersion), serverVersion };
  return {
    rules: {
      validateCreate: (object) => validatePolicy(object, options),
      validateUpdate: (object, old) => validatePolicyUpdate(object, old, options),
    },
    validateStatus: (object) => validatePolicyStatus(object),
  };
}

function rulesOfMutatingPolicies(serverVersion: KubernetesVersion): BuiltInKindOptions {
  const options = { version: compatibilityVersion(serverVersion), serverVersion };
  return {
    rules: {
      validateCreate: (object) => validateMutatingPolicy(object, undefined, options),
      validateUpdate: (object, old) => validateMutatingPolicy(object, old, options),
    },
  };
}

const MUTATING_BINDING_RULES: BuiltInKindOptions = {
  rules: {
    validateCreate: (object) => validateMutatingBinding(object),
    validateUpdate: (object) => validateMutatingBinding(object),
  },
};

const BINDING_RULES: BuiltInKindOptions = {
  rules: {
    validateCreate: (object) => validateBinding(object),
    validateUpdate: (object) => validateBinding(object),
  },
};
