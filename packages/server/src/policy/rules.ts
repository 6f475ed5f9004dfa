/** What policies and their bindings are judged by when they are written. */
import type { BuiltinResource } from "@portcullis/engine/builtin/builtin";
import { compatibilityVersion, type KubernetesVersion } from "@portcullis/engine/kubecel";
import { POLICY_GROUP } from "@portcullis/engine/policy/decode";
import { validatePolicy, validatePolicyUpdate } from "@portcullis/engine/policy/validate";
import { validateBinding } from "@portcullis/engine/policy/validate-binding";
import { validatePolicyStatus } from "@portcullis/engine/policy/validate-status";
import { type BuiltinTypeOptions, judgeMetaAgain } from "../registry/builtin-types.ts";

export const POLICIES = "validatingadmissionpolicies";
export const BINDINGS = "validatingadmissionpolicybindings";

/** Nothing for all other kinds. `server` is the version whose expressions may be used. */
export function policyRules({ group, plural }: BuiltinResource, server: KubernetesVersion): BuiltinTypeOptions {
  if (group !== POLICY_GROUP) return {};
  if (plural === POLICIES) return rulesOfPolicies(server);
  return plural === BINDINGS ? BINDING_RULES : {};
}

function rulesOfPolicies(serverVersion: KubernetesVersion): BuiltinTypeOptions {
  const options = { version: compatibilityVersion(serverVersion), serverVersion };
  return {
    rules: {
      validateCreate: (object) => validatePolicy(object, options),
      validateUpdate: (object, old) => [...judgeMetaAgain(object, old), ...validatePolicyUpdate(object, old, options)],
    },
    validateStatus: (object) => validatePolicyStatus(object),
  };
}

const BINDING_RULES: BuiltinTypeOptions = {
  rules: {
    validateCreate: (object) => validateBinding(object),
    validateUpdate: (object, old) => [...judgeMetaAgain(object, old), ...validateBinding(object)],
  },
};
