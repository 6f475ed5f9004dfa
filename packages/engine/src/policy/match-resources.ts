/** What policies and bindings say about the requests they are for. */
import type { StructuredSelector } from "../selector/labels.ts";
import { readSelector } from "../selector/read.ts";
import { isObject, type JsonObject, type JsonValue } from "../value/json.ts";
import { objectsOf, optionalText, textsOf } from "../value/read.ts";

export interface MatchResources {
  /** Undefined where defaulting has not run: a request then ends in a configuration error. */
  readonly namespaceSelector: StructuredSelector | undefined;
  readonly objectSelector: StructuredSelector | undefined;
  readonly resourceRules: readonly ResourceRule[];
  readonly excludeResourceRules: readonly ResourceRule[];
  readonly matchPolicy: string | undefined;
}

export interface ResourceRule {
  readonly resourceNames: readonly string[];
  readonly operations: readonly string[];
  readonly apiGroups: readonly string[];
  readonly apiVersions: readonly string[];
  readonly resources: readonly string[];
  readonly scope: string | undefined;
}

export function readMatchResources(json: JsonValue | undefined): MatchResources | undefined {
  if (!isObject(json)) return undefined;
  return {
    namespaceSelector: readOptionalSelector(json["namespaceSelector"]),
    objectSelector: readOptionalSelector(json["objectSelector"]),
    resourceRules: objectsOf(json["resourceRules"]).map(readRule),
    excludeResourceRules: objectsOf(json["excludeResourceRules"]).map(readRule),
    matchPolicy: optionalText(json["matchPolicy"]),
  };
}

export function readOptionalSelector(json: JsonValue | undefined): StructuredSelector | undefined {
  return isObject(json) ? readSelector(json) : undefined;
}

export function readRule(json: JsonObject): ResourceRule {
  return {
    resourceNames: textsOf(json["resourceNames"]),
    operations: textsOf(json["operations"]),
    apiGroups: textsOf(json["apiGroups"]),
    apiVersions: textsOf(json["apiVersions"]),
    resources: textsOf(json["resources"]),
    scope: optionalText(json["scope"]),
  };
}
