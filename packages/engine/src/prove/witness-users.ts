/** The users of requests that satisfy the assumptions of an execution path. */
import type { UserInfo } from "../kubecel/library/authz.ts";
import { isArray, isObject, type JsonValue } from "../value/json.ts";
import type { Builder } from "./build.ts";
import type { State } from "./evaluate/state.ts";
import { asServiceAccount } from "./service-account.ts";

const EVERYBODY = "system:authenticated";

/** The user that the execution path mentions; otherwise any of the given ones. */
export function usersOf(builder: Builder, given: readonly UserInfo[], state: State): UserInfo[] {
  const built = state.kinds.has("request.userInfo") ? builder.build("request.userInfo", undefined) : undefined;
  const plain: UserInfo = { name: "alice", uid: "", groups: [EVERYBODY], extra: new Map() };
  if (!isObject(built)) return [plain, ...(usesAuthorizer(state) ? given : [])];
  const groups = isArray(built["groups"]) ? built["groups"].flatMap((each) => asText(each) ?? []) : [];
  const own = state.kinds.has("request.userInfo.username") ? asText(built["username"]) : undefined;
  const known = state.lists.has("request.userInfo.groups") ? groups : [];
  const user = {
    ...plain,
    name: own ?? "alice",
    uid: asText(built["uid"]) ?? "",
    groups: [...new Set([...known, EVERYBODY])],
    extra: extraOf(built["extra"]),
  };
  return [asServiceAccount(user), ...given.filter((each) => own === undefined || each.name === own)];
}

function extraOf(json: JsonValue | undefined): ReadonlyMap<string, readonly string[]> {
  const entries = isObject(json) ? Object.entries(json) : [];
  return new Map(
    entries.map(([key, texts]) => [key, isArray(texts) ? texts.flatMap((each) => asText(each) ?? []) : []]),
  );
}

function usesAuthorizer(state: State): boolean {
  return [...state.bools.keys(), ...state.facts.keys()].some((key) => key.includes("authorizer"));
}

function asText(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}
