/** Policies and bindings as objects of their own: whether the API server would take them. */
import type { FieldError } from "@portcullis/engine/field/error";
import { compatibilityVersion, type KubernetesVersion, SERVER_VERSION } from "@portcullis/engine/kubecel";
import {
  type DecodedObject,
  decodeBinding,
  decodeMutatingBinding,
  decodeMutatingPolicy,
  decodePolicy,
  type PolicyVersion,
  policyVersionOf,
} from "@portcullis/engine/policy/decode";
import { isEarlyPolicy } from "@portcullis/engine/policy/early/convert";
import { validateMutatingBinding, validateMutatingPolicy } from "@portcullis/engine/policy/mutating/validate";
import { validatePolicy } from "@portcullis/engine/policy/validate";
import { validateBinding } from "@portcullis/engine/policy/validate-binding";
import type { PolicyValidationOptions } from "@portcullis/engine/policy/validate-expressions";
import { invalid } from "@portcullis/engine/status/error";
import type { JsonObject } from "@portcullis/engine/value/json";
import * as messages from "./messages.ts";
import { textOf } from "./request.ts";
import { metaOf } from "./settle.ts";

export function isPolicyObject(object: JsonObject): boolean {
  return policyVersionOf(object) !== undefined && policyKind(object) !== undefined;
}

/** How a kind of policy or binding is decoded and judged. */
interface PolicyKind {
  decode(object: JsonObject, version: PolicyVersion): DecodedObject;
  validate(object: JsonObject, versions: PolicyValidationOptions): FieldError[];
}

const POLICY_KINDS: ReadonlyMap<unknown, PolicyKind> = new Map([
  ["ValidatingAdmissionPolicy", { decode: decodePolicy, validate: validatePolicy }],
  ["ValidatingAdmissionPolicyBinding", { decode: decodeBinding, validate: (object) => validateBinding(object) }],
  [
    "MutatingAdmissionPolicy",
    {
      decode: decodeMutatingPolicy,
      validate: (object, versions) => validateMutatingPolicy(object, undefined, versions),
    },
  ],
  [
    "MutatingAdmissionPolicyBinding",
    { decode: decodeMutatingBinding, validate: (object) => validateMutatingBinding(object) },
  ],
]);

function policyKind({ kind }: JsonObject): PolicyKind | undefined {
  return POLICY_KINDS.get(kind);
}

export interface PolicyJudgement {
  /** Why it is none at all. */
  readonly decode?: string;
  readonly errors: readonly FieldError[];
  /** Paths of unknown fields. */
  readonly unknown: readonly string[];
}

/** What an API server of the version finds wrong with a policy or a binding; nothing for other objects. */
export function judgePolicy(object: JsonObject, server: KubernetesVersion = SERVER_VERSION): PolicyJudgement {
  const version = policyVersionOf(object);
  const kind = policyKind(object);
  if (version === undefined || kind === undefined) return { errors: [], unknown: [] };
  const { value, error, unknown } = kind.decode(object, version);
  if (error !== undefined) return { decode: error, errors: [], unknown };
  const versions = { version: compatibilityVersion(server), serverVersion: server };
  return { errors: kind.validate(value, versions), unknown };
}

/** The API server's refusals of the policies and bindings among the objects. */
export function refusedPolicies(objects: readonly JsonObject[], server?: KubernetesVersion): string[] {
  return objects.flatMap((object) => {
    if (isEarlyPolicy(object)) return [messages.earlyPolicy(textOf(metaOf(object)["name"]))];
    const { decode, errors } = judgePolicy(object, server);
    if (decode !== undefined) return [decode];
    if (errors.length === 0) return [];
    const kind = { group: "admissionregistration.k8s.io", kind: String(object["kind"]) };
    return [invalid(kind, textOf(metaOf(object)["name"]), errors).message];
  });
}
