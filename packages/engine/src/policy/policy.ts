/** A ValidatingAdmissionPolicy as data, read from its JSON after decoding and defaulting. */
import { isObject, type JsonObject, type JsonValue } from "../value/json.ts";
import { objectOf, objectsOf, optionalText, textOf } from "../value/read.ts";
import { type MatchResources, readMatchResources } from "./match-resources.ts";
import { decodePolicy, policyVersionOf } from "./objects/decode.ts";

/** What validating and mutating policies have in common. */
export interface PolicyFrame {
  readonly name: string;
  readonly failurePolicy: string | undefined;
  readonly paramKind: ParamKind | undefined;
  readonly matchConstraints: MatchResources | undefined;
  readonly matchConditions: readonly NamedExpression[];
  readonly variables: readonly NamedExpression[];
  /** The object itself. */
  readonly json: JsonObject;
}

/** A ValidatingAdmissionPolicy, compiled. */
export interface AdmissionPolicy extends PolicyFrame {
  readonly validations: readonly Validation[];
  readonly auditAnnotations: readonly AuditAnnotation[];
}

export interface ParamKind {
  readonly apiVersion: string;
  readonly kind: string;
}

export interface NamedExpression {
  readonly name: string;
  readonly expression: string;
}

export interface Validation {
  readonly expression: string;
  readonly message: string;
  readonly messageExpression: string;
  readonly reason: string | undefined;
}

export interface AuditAnnotation {
  readonly key: string;
  readonly valueExpression: string;
}

/** `json` has been decoded and defaulted. */
export function readPolicy(json: JsonObject): AdmissionPolicy {
  const spec = objectOf(json["spec"]);
  return {
    ...readFrame(json),
    validations: objectsOf(spec["validations"]).map(readValidation),
    auditAnnotations: objectsOf(spec["auditAnnotations"]).map(readAnnotation),
  };
}

export function readFrame(json: JsonObject): PolicyFrame {
  const spec = objectOf(json["spec"]);
  return {
    name: textOf(objectOf(json["metadata"])["name"]),
    failurePolicy: optionalText(spec["failurePolicy"]),
    paramKind: readParamKind(spec["paramKind"]),
    matchConstraints: readMatchResources(spec["matchConstraints"]),
    matchConditions: objectsOf(spec["matchConditions"]).map(readNamed),
    variables: objectsOf(spec["variables"]).map(readNamed),
    json,
  };
}

/** A manifest of any version, decoded, defaulted and read; for callers without a server. */
export function loadPolicy(json: JsonObject): AdmissionPolicy {
  return readPolicy(decodePolicy(json, policyVersionOf(json)).value);
}

function readParamKind(json: JsonValue | undefined): ParamKind | undefined {
  return isObject(json) ? { apiVersion: textOf(json["apiVersion"]), kind: textOf(json["kind"]) } : undefined;
}

export function readNamed(json: JsonObject): NamedExpression {
  return { name: textOf(json["name"]), expression: textOf(json["expression"]) };
}

function readValidation(json: JsonObject): Validation {
  return {
    expression: textOf(json["expression"]),
    message: textOf(json["message"]),
    messageExpression: textOf(json["messageExpression"]),
    reason: optionalText(json["reason"]),
  };
}

function readAnnotation(json: JsonObject): AuditAnnotation {
  return { key: textOf(json["key"]), valueExpression: textOf(json["valueExpression"]) };
}
