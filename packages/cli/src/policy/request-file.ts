/** Requests from a file: the AdmissionReview that a webhook is sent, or a few fields in our own words. */
import path from "node:path";
import type { UserInfo } from "@portcullis/engine/kubecel/library/authz";
import { isArray, isObject, type JsonObject, type JsonValue } from "@portcullis/engine/value/json";
import { UsageError } from "../commands/command.ts";
import { Fields } from "./fields.ts";
import { loadDocuments, loadObject } from "./load.ts";
import * as messages from "./messages.ts";
import { makeUser, type RequestParts, textOf } from "./request.ts";
import { metaOf } from "./settle.ts";

export function readRequestFile(file: string, stdin?: () => string): RequestParts {
  const documents = loadDocuments([file], stdin);
  const [first] = documents;
  if (first === undefined) throw new UsageError(messages.noObjectIn(file));
  if (documents.length > 1) throw new UsageError(messages.severalObjects(file, documents.length));
  const { object } = first;
  if (object["kind"] === "AdmissionReview" && isObject(object["request"])) return fromReview(object["request"], file);
  const fields = new Fields(object, file);
  fields.pass("apiVersion", "kind");
  const parts = readRequest(fields, path.dirname(file));
  fields.finish();
  return parts;
}

/** The fields of a request, wherever they stand: in a file of its own or in a test case. */
export function readRequest(fields: Fields, folder: string): RequestParts {
  const load = (name: string): JsonObject | undefined => {
    const value = fields.any(name);
    return value === undefined ? undefined : loadObject(value, `${fields.place}: ${name}`, folder);
  };
  return {
    object: load("object"),
    oldObject: load("oldObject"),
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

/** Taken as it is: the API server has settled all of it. */
export function fromReview(json: JsonObject, file: string): RequestParts {
  const fields = new Fields(json, `${file}: request`);
  const resource = fields.object("resource") ?? {};
  const kind = fields.object("kind") ?? {};
  const user = fields.object("userInfo") ?? {};
  const groups = user["groups"];
  return {
    object: fields.object("object"),
    oldObject: fields.object("oldObject"),
    operation: fields.text("operation"),
    resource: {
      group: textOf(resource["group"]),
      version: textOf(resource["version"]),
      resource: textOf(resource["resource"]),
    },
    kind: { group: textOf(kind["group"]), version: textOf(kind["version"]), kind: textOf(kind["kind"]) },
    subresource: fields.text("subResource"),
    name: fields.text("name"),
    namespace: fields.text("namespace"),
    user: {
      name: textOf(user["username"]),
      uid: textOf(user["uid"]),
      groups: isArray(groups) ? groups.map(textOf) : [],
      extra: readExtra(user["extra"]),
    },
    options: fields.object("options"),
    dryRun: fields.flag("dryRun"),
    isSettled: true,
  };
}

function readExtra(json: JsonValue | undefined): ReadonlyMap<string, readonly string[]> {
  if (!isObject(json)) return new Map();
  return new Map(Object.entries(json).map(([key, values]) => [key, isArray(values) ? values.map(textOf) : []]));
}
