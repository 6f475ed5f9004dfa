/** What policies and bindings say about the requests they are for. */
import type { StructuredSelector } from "../selector/labels.ts";
import { isObject, type JsonObject, type JsonValue } from "../value/json.ts";
import { labelsOf, objectsOf, optionalText, textOf, textsOf } from "./read.ts";

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
    namespaceSelector: readSelector(json["namespaceSelector"]),
    objectSelector: readSelector(json["objectSelector"]),
    resourceRules: objectsOf(json["resourceRules"]).map(readRule),
    excludeResourceRules: objectsOf(json["excludeResourceRules"]).map(readRule),
    matchPolicy: optionalText(json["matchPolicy"]),
  };
}

export function readSelector(json: JsonValue | undefined): StructuredSelector | undefined {
  if (!isObject(json)) return undefined;
  return {
    matchLabels: labelsOf(json["matchLabels"]),
    matchExpressions: objectsOf(json["matchExpressions"]).map((each) => ({
      key: textOf(each["key"]),
      operator: textOf(each["operator"]),
      values: textsOf(each["values"]),
    })),
  };
}

function readRule(json: JsonObject): ResourceRule {
  return {
    resourceNames: textsOf(json["resourceNames"]),
    operations: textsOf(json["operations"]),
    apiGroups: textsOf(json["apiGroups"]),
    apiVersions: textsOf(json["apiVersions"]),
    resources: textsOf(json["resources"]),
    scope: optionalText(json["scope"]),
  };
}
