/** The fields of a request in our own format, without the objects: these are loaded by the caller. */

import type { UserInfo } from "@portcullis/engine/internal/kubecel/library/authz";
import { isArray, isObject, type JsonValue } from "@portcullis/engine/internal/value/json";
import { metaOf, textOf } from "@portcullis/engine/internal/value/metadata";
import type { Fields } from "./fields.ts";
import type { RequestParts } from "./request.ts";
import { makeUser } from "./user.ts";

export function readRequestFields(fields: Fields): RequestParts {
  return {
    operation: fields.text("operation"),
    resource: fields.text("resource"),
    subresource: fields.text("subresource"),
    name: fields.text("objectName"),
    namespace: readNamespace(fields),
    user: readUser(fields),
    options: fields.object("options"),
    dryRun: fields.flag("dryRun"),
  };
}

/** Its name, or the namespace itself. */
function readNamespace(fields: Fields): string | undefined {
  const value = fields.any("namespace");
  return isObject(value) ? textOf(metaOf(value)["name"]) : fields.text("namespace");
}

function readUser(fields: Fields): UserInfo | undefined {
  const value = fields.any("user");
  const groups = fields.texts("groups");
  if (value === undefined && groups.length === 0) return undefined;
  if (value === undefined || typeof value === "string") return makeUser(value ?? "user", groups);
  const user = fields.within("user");
  if (user === undefined) return undefined;
  const name = user.text("username") ?? user.text("name") ?? "user";
  const uid = user.text("uid") ?? "";
  const made = makeUser(name, [...groups, ...user.texts("groups")], { uid, extra: readExtra(user.object("extra")) });
  user.pass("name");
  user.finish();
  return made;
}

export function readExtra(json: JsonValue | undefined): ReadonlyMap<string, readonly string[]> {
  if (!isObject(json)) return new Map();
  return new Map(Object.entries(json).map(([key, values]) => [key, isArray(values) ? values.map(textOf) : []]));
}
