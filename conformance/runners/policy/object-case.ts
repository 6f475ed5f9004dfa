/** A policy or binding as the server handles it: decoded, defaulted, validated. */
import { strictDecoding, unknownField } from "@portcullis/engine/internal/codec/messages";
import { decodeBinding, decodePolicy } from "@portcullis/engine/internal/policy/objects/decode";
import { reservedName } from "@portcullis/engine/internal/policy/objects/object-messages";
import { validatePolicy, validatePolicyUpdate } from "@portcullis/engine/internal/policy/objects/validate";
import { validateBinding } from "@portcullis/engine/internal/policy/objects/validate-binding";
import { validatePolicyStatus } from "@portcullis/engine/internal/policy/objects/validate-status";
import { badRequest, invalid, type StatusError } from "@portcullis/engine/internal/status/error";
import { fromPlain, toPlain } from "@portcullis/engine/internal/value/copy";
import { isObject, type JsonObject } from "@portcullis/engine/internal/value/json";
import { withMember, withoutMember } from "@portcullis/engine/internal/value/rewrite";
import { asVersion } from "@portcullis/engine/internal/value/server-version";
import { RECORDED_VERSION } from "../recorded-version.ts";

export interface ObjectCase {
  readonly id: string;
  readonly object: unknown;
  readonly old?: unknown;
  readonly expect: unknown;
}

const GROUP = "admissionregistration.k8s.io";

export function answerObject(recorded: ObjectCase): unknown {
  return asVersion(RECORDED_VERSION, () => answer(recorded));
}

function answer({ object, old }: ObjectCase): unknown {
  const json = named(plainObject(object));
  const isPolicy = json["kind"] === "ValidatingAdmissionPolicy";
  const kind = isPolicy ? "ValidatingAdmissionPolicy" : "ValidatingAdmissionPolicyBinding";
  const decode = isPolicy ? decodePolicy : decodeBinding;
  const { value, unknown, error } = decode(json);
  const problem = error ?? (unknown.length > 0 ? strictDecoding(unknown.map(unknownField)) : undefined);
  if (problem !== undefined) {
    return refused(badRequest(`${kind} in version "v1" cannot be handled as a ${kind}: ${problem}`));
  }
  const name = String(member(value, "metadata")["name"] ?? "");
  const errors = json["status"] !== undefined ? validatePolicyStatus(value) : check(value, isPolicy, old);
  if (errors.length > 0) return refused(invalid({ group: GROUP, kind }, name, errors));
  const reserved = reservedName(name);
  const warnings = reserved === undefined ? [] : [`metadata.name: ${reserved}`];
  return { code: old === undefined ? 201 : 200, spec: toPlain(value["spec"] ?? null), warnings };
}

function check(value: JsonObject, isPolicy: boolean, old: unknown) {
  if (!isPolicy) return validateBinding(value);
  return old === undefined ? validatePolicy(value) : validatePolicyUpdate(value, decodePolicy(plainObject(old)).value);
}

/** What the server does before validation: it generates the name and drops the namespace of a cluster-scoped object. */
function named(object: JsonObject): JsonObject {
  const metadata = withoutMember(member(object, "metadata"), "namespace");
  const prefix = metadata["generateName"];
  if (typeof prefix !== "string" || metadata["name"] !== undefined) return withMember(object, "metadata", metadata);
  return withMember(object, "metadata", withMember(metadata, "name", `${prefix}x`));
}

function member(object: JsonObject, key: string): JsonObject {
  const found = object[key];
  return isObject(found) ? found : {};
}

function plainObject(data: unknown): JsonObject {
  const value = fromPlain(data);
  if (!isObject(value)) throw new Error("a case holds objects only");
  return value;
}

function refused(error: StatusError): unknown {
  const causes = (error.details?.causes ?? []).map(({ type, message, field }) => ({ reason: type, message, field }));
  return { code: error.code, reason: error.reason, message: error.message, causes, warnings: [] };
}
