/** The paths of pods in their kinds. */
import { isObject, type JsonObject, type JsonValue, newObject } from "../../value/json.ts";
import type { ProofKind } from "./kinds.ts";

export interface PodPath {
  readonly path: readonly string[];
  readonly isPod: boolean;
  readonly isJob: boolean;
  readonly read: (object: JsonObject) => JsonObject | undefined;
  readonly write: (object: JsonObject, spec: JsonObject) => JsonObject;
}

const TEMPLATE = ["spec", "template", "spec"];

const PATHS: Readonly<Record<string, readonly string[]>> = {
  "/Pod": ["spec"],
  "/ReplicationController": TEMPLATE,
  "apps/Deployment": TEMPLATE,
  "apps/ReplicaSet": TEMPLATE,
  "apps/StatefulSet": TEMPLATE,
  "apps/DaemonSet": TEMPLATE,
  "batch/Job": TEMPLATE,
  "batch/CronJob": ["spec", "jobTemplate", ...TEMPLATE],
};

export function podPathOf({ group, kind }: Pick<ProofKind, "group" | "kind">): PodPath | undefined {
  const path = PATHS[`${group}/${kind}`];
  if (path === undefined) return undefined;
  return {
    path,
    isPod: path.length === 1,
    isJob: group === "batch",
    read: (object) => {
      const found = path.reduce<JsonValue | undefined>(
        (value, key) => (isObject(value) ? value[key] : undefined),
        object,
      );
      return isObject(found) ? found : undefined;
    },
    write: (object, spec) => writeAt(object, path, spec),
  };
}

function writeAt(object: JsonObject, [first, ...rest]: readonly string[], value: JsonObject): JsonObject {
  if (first === undefined) return value;
  const inner = object[first];
  return Object.assign(newObject(), object, { [first]: writeAt(isObject(inner) ? inner : newObject(), rest, value) });
}
