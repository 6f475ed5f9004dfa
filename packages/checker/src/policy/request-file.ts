/** Reads requests from a file: an AdmissionReview as sent to a webhook, or our own short format. */
import path from "node:path";
import { isArray, isObject, type JsonObject } from "@portcullis/engine/internal/value/json";
import { textOf } from "@portcullis/engine/internal/value/metadata";
import { UsageError } from "../input/usage-error.ts";
import { Fields } from "./fields.ts";
import { loadDocuments, loadObject } from "./load.ts";
import * as messages from "./messages.ts";
import type { RequestParts } from "./request.ts";
import { readExtra, readRequestFields } from "./request-fields.ts";

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

/** The fields of a request, in a file of its own or in a test case. */
export function readRequest(fields: Fields, folder: string): RequestParts {
  const load = (name: string): JsonObject | undefined => {
    const value = fields.any(name);
    return value === undefined ? undefined : loadObject(value, `${fields.place}: ${name}`, folder);
  };
  return {
    object: load("object"),
    oldObject: load("oldObject"),
    ...readRequestFields(fields),
  };
}

/** Used as it is: the API server has already filled in everything. */
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
    // Each object of a collection that is deleted has a request without a name.
    name: fields.text("name") ?? (json["operation"] === "DELETE" ? "" : undefined),
    namespace: fields.text("namespace"),
    user: {
      name: textOf(user["username"]),
      uid: textOf(user["uid"]),
      groups: isArray(groups) ? groups.map(textOf) : [],
      extra: readExtra(user["extra"]),
    },
    options: fields.object("options"),
    dryRun: fields.flag("dryRun"),
    isRaw: true,
  };
}
