/** Plain checks of configuration, permissions and budgets. */
import type { JsonObject } from "../../value/json.ts";
import { at, type Check, fields, integer, isFlag, isText, list, map, oneOf, text } from "./check.ts";
import { clusterMeta, isSelector, lengthOf, namedMeta, selectsNothing } from "./metadata.ts";
import { isAmountOfPods, isConfigKey, isLabel, isObjectName } from "./texts.ts";

/** All values may have 1 MiB, those of `data` and of `stringData` together; a character has at most three bytes. */
const MAX_CHARACTERS = 170_000;

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

const areTexts = map(isConfigKey, isText);
const areEncoded = map(
  isConfigKey,
  text((value) => BASE64.test(value)),
);

function small(check: Check): Check {
  return (value) => check(value) && lengthOf(value) < MAX_CHARACTERS;
}

const isRule = fields(
  {
    apiGroups: list(isText, { min: 1 }),
    resources: list(isText, { min: 1 }),
    resourceNames: list(isText),
    verbs: list(isText, { min: 1 }),
  },
  { needs: ["apiGroups", "resources", "verbs"] },
);

const GROUP = "rbac.authorization.k8s.io";

function roleRef(...kinds: readonly string[]): Check {
  return fields(
    { apiGroup: oneOf(GROUP), kind: oneOf(...kinds), name: isObjectName },
    { needs: ["apiGroup", "kind", "name"] },
  );
}

const isAccount = fields(
  { kind: oneOf("ServiceAccount"), name: isObjectName, namespace: text(isLabel) },
  { needs: ["kind", "name", "namespace"] },
);

const isPerson = fields(
  { apiGroup: oneOf(GROUP), kind: oneOf("User", "Group"), name: text((name) => name !== "") },
  { needs: ["apiGroup", "kind", "name"] },
);

const isSubject: Check = (value) => (at(value, "kind") === "ServiceAccount" ? isAccount(value) : isPerson(value));

const isMetric = fields(
  {
    type: oneOf("Resource"),
    resource: fields(
      {
        name: oneOf("cpu", "memory"),
        target: fields(
          { type: oneOf("Utilization"), averageUtilization: integer(1) },
          { needs: ["type", "averageUtilization"] },
        ),
      },
      { needs: ["name", "target"] },
    ),
  },
  { needs: ["type", "resource"] },
);

const isScalerSpec = fields(
  {
    maxReplicas: integer(1),
    metrics: list(isMetric),
    minReplicas: integer(1),
    scaleTargetRef: fields(
      { apiVersion: oneOf("apps/v1"), kind: oneOf("Deployment", "StatefulSet", "ReplicaSet"), name: isObjectName },
      { needs: ["apiVersion", "kind", "name"] },
    ),
  },
  {
    needs: ["maxReplicas", "scaleTargetRef"],
    and: ({ minReplicas = 1, maxReplicas }) => Number(minReplicas) <= Number(maxReplicas),
  },
);

const isBudgetSpec: Check = fields(
  {
    maxUnavailable: isAmountOfPods,
    minAvailable: isAmountOfPods,
    selector: isSelector,
    unhealthyPodEvictionPolicy: oneOf("AlwaysAllow", "IfHealthyBudget"),
  },
  { needs: ["selector"], and: isWholeBudget },
);

function isWholeBudget({ maxUnavailable, minAvailable, selector }: JsonObject): boolean {
  return (maxUnavailable === undefined) !== (minAvailable === undefined) && !selectsNothing(selector);
}

const metadata = namedMeta(isObjectName);
const outside = clusterMeta(isObjectName);
const isRules = list(isRule);
const isSubjects = list(isSubject);

/** By `apiVersion kind`: the members besides those two. */
export const OTHERS: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  "v1 ConfigMap": { metadata, data: small(areTexts), immutable: isFlag },
  "v1 Secret": {
    metadata,
    data: small(areEncoded),
    stringData: small(areTexts),
    type: oneOf("Opaque"),
    immutable: isFlag,
  },
  "v1 ServiceAccount": { metadata, automountServiceAccountToken: isFlag },
  "autoscaling/v2 HorizontalPodAutoscaler": { metadata, spec: isScalerSpec },
  "policy/v1 PodDisruptionBudget": { metadata, spec: isBudgetSpec },
  [`${GROUP}/v1 Role`]: { metadata, rules: isRules },
  [`${GROUP}/v1 ClusterRole`]: { metadata: outside, rules: isRules },
  [`${GROUP}/v1 RoleBinding`]: { metadata, roleRef: roleRef("Role", "ClusterRole"), subjects: isSubjects },
  [`${GROUP}/v1 ClusterRoleBinding`]: { metadata: outside, roleRef: roleRef("ClusterRole"), subjects: isSubjects },
};
