/** A binding of a policy as data, read from its JSON after decoding and defaulting. */
import type { StructuredSelector } from "../selector/labels.ts";
import { isObject, type JsonObject, type JsonValue } from "../value/json.ts";
import { objectOf, optionalText, textOf, textsOf } from "../value/read.ts";
import { type MatchResources, readMatchResources, readOptionalSelector } from "./match-resources.ts";
import { decodeBinding, decodeMutatingBinding, policyVersionOf } from "./objects/decode.ts";

/** A binding as evaluation reads it. */
export interface PolicyBinding {
  readonly name: string;
  readonly policyName: string;
  readonly paramRef: ParamRef | undefined;
  readonly matchResources: MatchResources | undefined;
  readonly validationActions: readonly string[];
  /** The object itself. */
  readonly json: JsonObject;
}

export interface ParamRef {
  readonly name: string;
  readonly namespace: string;
  readonly selector: StructuredSelector | undefined;
  readonly parameterNotFoundAction: string | undefined;
}

/** `json` has been decoded and defaulted. */
export function readBinding(json: JsonObject): PolicyBinding {
  const spec = objectOf(json["spec"]);
  return {
    name: textOf(objectOf(json["metadata"])["name"]),
    policyName: textOf(spec["policyName"]),
    paramRef: readParamRef(spec["paramRef"]),
    matchResources: readMatchResources(spec["matchResources"]),
    validationActions: textsOf(spec["validationActions"]),
    json,
  };
}

/** A manifest of any version, decoded, defaulted and read; for callers without a server. */
export function loadBinding(json: JsonObject): PolicyBinding {
  return readBinding(decodeBinding(json, policyVersionOf(json)).value);
}

/** The same for bindings of mutating policies, which have no actions. */
export function loadMutatingBinding(json: JsonObject): PolicyBinding {
  return readBinding(decodeMutatingBinding(json, policyVersionOf(json)).value);
}

function readParamRef(json: JsonValue | undefined): ParamRef | undefined {
  if (!isObject(json)) return undefined;
  return {
    name: textOf(json["name"]),
    namespace: textOf(json["namespace"]),
    selector: readOptionalSelector(json["selector"]),
    parameterNotFoundAction: optionalText(json["parameterNotFoundAction"]),
  };
}
