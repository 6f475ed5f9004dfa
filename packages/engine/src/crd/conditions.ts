/** Conditions of a definition's status. The time of a condition moves only when its status does. */
import { isArray, isObject, type JsonObject } from "../value/json.ts";
import { withMember } from "../value/rewrite.ts";

export function findCondition(object: JsonObject, type: string): JsonObject | undefined {
  const status = object["status"];
  return isObject(status) ? conditionsOf(status).find((each) => each["type"] === type) : undefined;
}

export function isTrue(object: JsonObject, type: string): boolean {
  return findCondition(object, type)?.["status"] === "True";
}

/** The status with the condition in place of the one of its type. */
export function setCondition(status: JsonObject, condition: JsonObject, now: string): JsonObject {
  const conditions = conditionsOf(status);
  const at = conditions.findIndex((each) => each["type"] === condition["type"]);
  const before = conditions[at];
  const isSame = before !== undefined && before["status"] === condition["status"];
  const timed = withMember(condition, "lastTransitionTime", (isSame ? before["lastTransitionTime"] : undefined) ?? now);
  const changed = at === -1 ? [...conditions, timed] : conditions.map((each, index) => (index === at ? timed : each));
  return withMember(status, "conditions", changed);
}

function conditionsOf(status: JsonObject): JsonObject[] {
  const conditions = status["conditions"];
  return isArray(conditions) ? conditions.filter(isObject) : [];
}
