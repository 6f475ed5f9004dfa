/** Roles and role bindings as data, read from their JSON. Members of the wrong type count as absent. */
import type { StructuredSelector } from "../selector/labels.ts";
import { readSelector } from "../selector/read.ts";
import { isObject, type JsonObject } from "../value/json.ts";
import { labelsOf, objectOf, objectsOf, textOf, textsOf } from "../value/read.ts";

export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly resourceNames: readonly string[];
  readonly nonResourceURLs: readonly string[];
}

export interface Role {
  /** "" for a ClusterRole. */
  readonly namespace: string;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly rules: readonly PolicyRule[];
  /** Selects the roles whose rules this one gathers; undefined for a role with rules of its own. */
  readonly aggregates: readonly StructuredSelector[] | undefined;
}

export interface RoleBinding {
  /** "" for a ClusterRoleBinding. */
  readonly namespace: string;
  readonly name: string;
  readonly roleRef: { readonly kind: string; readonly name: string };
  readonly subjects: readonly Subject[];
}

export interface Subject {
  readonly kind: string;
  readonly name: string;
  readonly namespace: string;
}

/** For Role and ClusterRole. */
export function readRole(json: JsonObject): Role {
  const metadata = objectOf(json["metadata"]);
  const aggregation = json["aggregationRule"];
  return {
    namespace: textOf(metadata["namespace"]),
    name: textOf(metadata["name"]),
    labels: labelsOf(metadata["labels"]),
    rules: objectsOf(json["rules"]).map(readRule),
    aggregates: isObject(aggregation) ? objectsOf(aggregation["clusterRoleSelectors"]).map(readSelector) : undefined,
  };
}

/** For RoleBinding and ClusterRoleBinding. */
export function readRoleBinding(json: JsonObject): RoleBinding {
  const metadata = objectOf(json["metadata"]);
  const roleRef = objectOf(json["roleRef"]);
  return {
    namespace: textOf(metadata["namespace"]),
    name: textOf(metadata["name"]),
    roleRef: { kind: textOf(roleRef["kind"]), name: textOf(roleRef["name"]) },
    subjects: objectsOf(json["subjects"]).map((subject) => ({
      kind: textOf(subject["kind"]),
      name: textOf(subject["name"]),
      namespace: textOf(subject["namespace"]),
    })),
  };
}

function readRule(json: JsonObject): PolicyRule {
  return {
    verbs: textsOf(json["verbs"]),
    apiGroups: textsOf(json["apiGroups"]),
    resources: textsOf(json["resources"]),
    resourceNames: textsOf(json["resourceNames"]),
    nonResourceURLs: textsOf(json["nonResourceURLs"]),
  };
}
