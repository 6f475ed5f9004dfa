/** Requests for certificates: the server sets the requester, and each subresource writes one part of the status. */
import { deepCopy } from "../../value/copy.ts";
import { isArray, type JsonObject, type JsonValue, newObject } from "../../value/json.ts";
import { type Draft, inner } from "../defaults/draft.ts";
import { has, objectFrom, objectOf, objectsOf, textOf } from "../object.ts";

/** Who makes a request. */
export interface Requester {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: ReadonlyMap<string, readonly string[]>;
}

/** The request with the name of who makes it, whatever it said. */
export function withRequester(csr: JsonObject, { name, uid, groups, extra }: Requester): JsonObject {
  const draft = deepCopy(csr);
  const spec = inner(draft, "spec");
  for (const key of ["username", "uid", "groups", "extra"]) delete spec[key];
  if (name !== "") spec["username"] = name;
  if (uid !== "") spec["uid"] = uid;
  if (groups.length > 0) spec["groups"] = [...groups];
  if (extra.size > 0) spec["extra"] = objectFrom(Object.fromEntries([...extra].map(([key, all]) => [key, [...all]])));
  return draft;
}

export function keepCsrSpec(csr: Draft, old: JsonObject): void {
  csr["spec"] = deepCopy(objectOf(old, "spec") ?? newObject());
}

/** Conditions and certificate may change, but for what says whether it is approved. */
export function prepareCsrStatus(csr: JsonObject, old: JsonObject, now: string): JsonObject {
  const draft = deepCopy(csr);
  keepCsrSpec(draft, old);
  for (const type of ["Approved", "Denied"]) keepConditions(draft, old, type);
  stampConditions(draft, old, now);
  return draft;
}

/** Conditions alone may change. */
export function prepareCsrApproval(csr: JsonObject, old: JsonObject, now: string): JsonObject {
  const draft = deepCopy(csr);
  stampConditions(draft, old, now);
  const { conditions } = objectOf(draft, "status") ?? newObject();
  keepCsrSpec(draft, old);
  const status = deepCopy(objectOf(old, "status") ?? newObject());
  if (conditions === undefined) delete status["conditions"];
  else status["conditions"] = conditions;
  draft["status"] = status;
  return draft;
}

/** Where some were added or taken away nothing can be kept, and the change is refused later. */
function keepConditions(csr: Draft, old: JsonObject, type: string): void {
  const isOfType = (each: JsonObject): boolean => textOf(each, "type") === type;
  const status = inner(csr, "status");
  const [before, now] = [conditionsOf(old).filter(isOfType), conditionsOf(csr).filter(isOfType)];
  if (before.length !== now.length || before.length === 0) return;
  let next = 0;
  const kept = conditionsOf(csr).map((each): JsonValue => (isOfType(each) ? deepCopy(before[next++] ?? each) : each));
  status["conditions"] = kept;
}

function conditionsOf(csr: JsonObject): JsonObject[] {
  return objectsOf(objectOf(csr, "status"), "conditions");
}

/** A condition that was there before with the same status has changed when it did. */
function stampConditions(csr: Draft, old: JsonObject, now: string): void {
  if (!isArray(objectOf(csr, "status")?.["conditions"])) return;
  const times = new Map<string, JsonValue>();
  for (const each of conditionsOf(old)) {
    const time = each["lastTransitionTime"];
    const state = stateOf(each);
    if (time !== undefined && has(each, "lastTransitionTime") && !times.has(state)) times.set(state, time);
  }
  for (const condition of conditionsOf(csr)) {
    if (!has(condition, "lastUpdateTime")) condition["lastUpdateTime"] = now;
    if (!has(condition, "lastTransitionTime")) condition["lastTransitionTime"] = times.get(stateOf(condition)) ?? now;
  }
}

function stateOf(condition: JsonObject): string {
  return JSON.stringify([condition["type"], condition["status"]]);
}
