/** A MutatingAdmissionPolicy as data, read from its JSON after decoding and defaulting. Its bindings are like those of other policies, without actions. */
import { isObject, type JsonObject, type JsonValue } from "../../value/json.ts";
import { objectOf, objectsOf, textOf } from "../../value/read.ts";
import { decodeMutatingPolicy, policyVersionOf } from "../objects/decode.ts";
import { type PolicyFrame, readFrame } from "../policy.ts";

/** A MutatingAdmissionPolicy, compiled. */
export interface MutatingPolicy extends PolicyFrame {
  readonly mutations: readonly Mutation[];
  /** `Never` or `IfNeeded`. */
  readonly reinvocationPolicy: string;
}

export interface Mutation {
  readonly patchType: string;
  /** Undefined if there is none, which is not the same as an empty one. */
  readonly applyConfiguration: string | undefined;
  readonly jsonPatch: string | undefined;
}

/** `json` has been decoded and defaulted. */
export function readMutatingPolicy(json: JsonObject): MutatingPolicy {
  const spec = objectOf(json["spec"]);
  return {
    ...readFrame(json),
    mutations: objectsOf(spec["mutations"]).map(readMutation),
    reinvocationPolicy: textOf(spec["reinvocationPolicy"]),
  };
}

/** A manifest of any version, decoded, defaulted and read; for callers without a server. */
export function loadMutatingPolicy(json: JsonObject): MutatingPolicy {
  return readMutatingPolicy(decodeMutatingPolicy(json, policyVersionOf(json)).value);
}

function readMutation(json: JsonObject): Mutation {
  return {
    patchType: textOf(json["patchType"]),
    applyConfiguration: readExpression(json["applyConfiguration"]),
    jsonPatch: readExpression(json["jsonPatch"]),
  };
}

function readExpression(json: JsonValue | undefined): string | undefined {
  return isObject(json) ? textOf(json["expression"]) : undefined;
}
