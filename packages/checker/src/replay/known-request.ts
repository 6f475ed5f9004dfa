/** Requests that are known as a whole: AdmissionReviews, and objects as they were exported. */
import type { UserInfo } from "@portcullis/engine/internal/kubecel/library/authz";
import type { Operation } from "@portcullis/engine/internal/policy/attributes";
import { isObject, type JsonObject, newObject } from "@portcullis/engine/internal/value/json";
import { metaText } from "@portcullis/engine/internal/value/metadata";
import { objectOf, textOf, textsOf } from "@portcullis/engine/internal/value/read";
import type { Alternative } from "./alternative.ts";
import { type AuditEvent, timeOf } from "./log/audit-event.ts";
import type { Input } from "./needs.ts";
import type { WriteEvent } from "./write-event.ts";

export interface KnownRequest {
  readonly event: AuditEvent;
  readonly alternative: (write: WriteEvent) => Alternative;
}

const VERBS: Readonly<Record<string, string>> = {
  CREATE: "create",
  UPDATE: "update",
  DELETE: "delete",
  CONNECT: "create",
};

export function isReview(value: JsonObject): boolean {
  return value["kind"] === "AdmissionReview" && textOf(value["apiVersion"]).startsWith("admission.k8s.io/");
}

/** Undefined if the review has no request. */
export function fromReview(review: JsonObject): KnownRequest | undefined {
  const request = review["request"];
  if (!isObject(request)) return undefined;
  const operation = operationOf(request["operation"]);
  if (operation === undefined) return undefined;
  const response = objectOf(review["response"]);
  const status = objectOf(response["status"]);
  const isRefused = response["allowed"] === false;
  const code = status["code"];
  const at = timeOf(review["timestamp"]);
  const event: AuditEvent = {
    ...eventBase(request, VERBS[operation] ?? "create"),
    auditID: textOf(request["uid"]),
    user: userOf(objectOf(request["userInfo"])),
    at,
    received: at,
    code: isRefused ? (typeof code === "number" ? code : 403) : 200,
    message: isRefused ? textOf(status["message"]) : "",
  };
  return { event, alternative: (write) => reviewAlternative(write, request, operation) };
}

function operationOf(value: unknown): Operation | undefined {
  return (["CREATE", "UPDATE", "DELETE", "CONNECT"] as const).find((each) => each === value);
}

/** The resource that was asked for, not the one that the webhook's rule named. */
function eventBase(request: JsonObject, verb: string): AuditEvent {
  const resource = objectOf(request["requestResource"] ?? request["resource"]);
  return {
    ...EMPTY,
    verb,
    ref: {
      group: textOf(resource["group"]),
      version: textOf(resource["version"]),
      resource: textOf(resource["resource"]),
      subresource: textOf(request["requestSubResource"] ?? request["subResource"]),
      namespace: textOf(request["namespace"]),
      name: textOf(request["name"]),
    },
  };
}

const NOBODY: UserInfo = { name: "", uid: "", groups: [], extra: new Map() };

const EMPTY: AuditEvent = {
  auditID: "",
  level: "RequestResponse",
  stage: "ResponseComplete",
  uri: "",
  verb: "",
  user: NOBODY,
  userAgent: "",
  ref: undefined,
  code: 200,
  reason: "",
  message: "",
  received: 0,
  at: 0,
  annotations: newObject(),
  request: undefined,
  response: undefined,
};

function userOf(user: JsonObject): UserInfo {
  const extra = new Map(Object.entries(objectOf(user["extra"])).map(([key, texts]) => [key, textsOf(texts)]));
  return { name: textOf(user["username"]), uid: textOf(user["uid"]), groups: textsOf(user["groups"]), extra };
}

function reviewAlternative({ target, ref, event }: WriteEvent, request: JsonObject, operation: Operation): Alternative {
  const kind = objectOf(request["requestKind"] ?? request["kind"]);
  const objectIn = (key: string): JsonObject | undefined => (isObject(request[key]) ? request[key] : undefined);
  return {
    attributes: {
      operation,
      resource: target.resource,
      subresource: target.subresource,
      kind: { group: textOf(kind["group"]), version: textOf(kind["version"]), kind: textOf(kind["kind"]) },
      name: ref.name,
      namespace: ref.namespace,
      object: objectIn("object"),
      oldObject: objectIn("oldObject"),
      options: objectIn("options"),
      dryRun: request["dryRun"] === true,
      userInfo: event.user,
    },
    missing: new Map(),
    isExact: true,
  };
}

/** An exported object as a request that creates it: nobody knows by whom. */
export function fromObject(object: JsonObject, resource: string): KnownRequest {
  const apiVersion = textOf(object["apiVersion"]);
  const slash = apiVersion.indexOf("/");
  const [group, version] = slash < 0 ? ["", apiVersion] : [apiVersion.slice(0, slash), apiVersion.slice(slash + 1)];
  const [namespace, name] = [metaText(object, "namespace"), metaText(object, "name")];
  const at = timeOf(metaText(object, "creationTimestamp"));
  const ref = { group, version, resource, subresource: "", namespace, name };
  const event = { ...EMPTY, auditID: metaText(object, "uid"), verb: "create", ref, at, received: at };
  return {
    event,
    alternative: ({ target }) => ({
      attributes: {
        operation: "CREATE",
        resource: target.resource,
        subresource: "",
        name,
        object,
        oldObject: undefined,
        kind: target.kind ?? { group, version, kind: textOf(object["kind"]) },
        namespace: group === "" && resource === "namespaces" ? name : namespace,
        options: newObject(),
        dryRun: false,
        userInfo: NOBODY,
      },
      missing: new Map<Input, string>([
        ["user", "an exported object does not say who created it"],
        ["options", "an exported object does not say how it was created"],
      ]),
      isExact: metaText(object, "uid") !== "",
    }),
  };
}
