/** Conditions of flow schemas and priority levels: each type once. */

import { duplicate, type FieldError, GoJson, required } from "../../../field/error.ts";
import { newPath } from "../../../field/path.ts";
import type { JsonObject } from "../../../value/json.ts";
import { canonicalJson } from "../../../value/text.ts";
import { objectOf, textOf } from "../../object.ts";
import { eachOf } from "../checks.ts";
import * as messages from "./messages.ts";

export function validateFlowStatus(object: JsonObject): FieldError[] {
  const types = new Set<string>();
  return eachOf(objectOf(object, "status"), "conditions", newPath("status"), (condition, path) => {
    const type = textOf(condition, "type");
    const isRepeated = types.has(type);
    types.add(type);
    return [
      ...(isRepeated ? [duplicate(path.child("type"), new GoJson(canonicalJson(type)))] : []),
      ...(type === "" ? [required(path.child("type"), messages.conditionTypeNeeded())] : []),
    ];
  });
}
