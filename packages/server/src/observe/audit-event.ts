/** One line of the audit log: who asked for what, when, and what came of it. The shape is that of `audit.k8s.io/v1`. */
import { decodeProtobuf } from "@portcullis/engine/internal/builtin/protobuf/envelope";
import { decodeJson } from "@portcullis/engine/internal/codec/json";
import { decodeYaml } from "@portcullis/engine/internal/codec/yaml";
import type { User } from "@portcullis/engine/internal/rbac/user";
import { StatusError } from "@portcullis/engine/internal/status/error";
import {
  isArray,
  isObject,
  type JsonObject,
  type JsonValue,
  newObject,
  sortedKeys,
} from "@portcullis/engine/internal/value/json";
import { metaOf, objectOf, textOf, withMeta } from "@portcullis/engine/internal/value/metadata";
import { withMember } from "@portcullis/engine/internal/value/rewrite";
import { canonicalJson, canonicalMember } from "@portcullis/engine/internal/value/text";
import type { ApiRequest, ApiResponse } from "../http/exchange.ts";
import type { RequestInfo } from "../http/request-info.ts";
import { type AuditConfig, LEVELS, type Stage } from "./audit-policy.ts";

export interface AuditFacts {
  readonly id: string;
  readonly request: ApiRequest;
  readonly info: RequestInfo;
  readonly config: AuditConfig;
  readonly user: User;
  readonly impersonated: User | undefined;
  /** The verb that allowed the impersonation, where that is a constrained one. */
  readonly constraint?: string | undefined;
  readonly annotations: Readonly<Record<string, string>>;
  /** Milliseconds since 1970. */
  readonly received: number;
  readonly body: Uint8Array | undefined;
  /** The text of a long answer, which is not read again. */
  readonly answer?: string | undefined;
}

/** A line of JSON, without the line break. */
export function auditLine(facts: AuditFacts, stage: Stage, now: number, response: ApiResponse | undefined): string {
  const { id, request, info, config, user, impersonated, annotations } = facts;
  const raw = embeddable(facts);
  const answer = response && raw === undefined ? bodyJson(facts.answer ?? response.body, facts) : undefined;
  const sent = response && SENT_OBJECTS.has(info.verb) ? requestJson(facts) : undefined;
  const event = objectOf({
    kind: "Event",
    apiVersion: "audit.k8s.io/v1",
    level: config.level,
    auditID: id,
    stage,
    requestURI: request.target,
    verb: info.verb,
    user: userJson(user),
    impersonatedUser: impersonated && userJson(impersonated),
    authenticationMetadata: facts.constraint && objectOf({ impersonationConstraint: facts.constraint }),
    sourceIPs: request.address === undefined ? undefined : [request.address],
    userAgent: request.header("user-agent"),
    objectRef: info.isResource ? objectRef(info, isObject(sent) ? metaOf(sent) : newObject()) : undefined,
    responseStatus: response && statusJson(response, answer),
    requestObject: wants(config, "Request") ? requestJson(facts) : undefined,
    responseObject: wants(config, "RequestResponse") ? answer : undefined,
    requestReceivedTimestamp: microTime(facts.received),
    stageTimestamp: microTime(now),
    annotations: Object.keys(annotations).length === 0 ? undefined : objectOf(annotations),
  });
  return raw === undefined ? canonicalJson(event, AS_IS) : lineWith(event, raw);
}

const AS_IS = { escapeHtml: false };

/** The text of a long answer, if it can be part of the line as it is: reading it would take longer than making it. */
function embeddable({ answer = "", config }: AuditFacts): string | undefined {
  const text = answer.trimEnd();
  return text.startsWith("{") && !text.includes("\n") && !config.omitManagedFields ? text : undefined;
}

function lineWith(event: JsonObject, responseObject: string): string {
  const members = sortedKeys(objectOf({ ...event, responseObject: null })).map((key) =>
    key === "responseObject" ? `"${key}":${responseObject}` : canonicalMember(key, event[key] ?? null, AS_IS),
  );
  return `{${members.join(",")}}`;
}

export function wants({ level }: AuditConfig, wanted: (typeof LEVELS)[number]): boolean {
  return LEVELS.indexOf(level) >= LEVELS.indexOf(wanted);
}

function userJson({ name, uid, groups, extra }: User): JsonObject {
  const extras = objectOf(Object.fromEntries([...extra].map(([key, values]) => [key, [...values]])));
  return objectOf({
    username: name,
    uid: uid === "" ? undefined : uid,
    groups: [...groups],
    extra: extra.size === 0 ? undefined : extras,
  });
}

/** Verbs whose body is the object itself. */
const SENT_OBJECTS: ReadonlySet<string> = new Set(["create", "update"]);

/** What the URL leaves out is taken from the object that was sent. */
function objectRef(info: RequestInfo, meta: JsonObject): JsonObject {
  const { resource, namespace, name, group, version, subresource } = info;
  const given = (text: string): string | undefined => (text === "" ? undefined : text);
  return objectOf({
    resource: given(resource),
    namespace: given(namespace) ?? given(textOf(meta["namespace"])),
    name: given(name) ?? given(textOf(meta["name"])),
    uid: given(textOf(meta["uid"])),
    apiGroup: given(group),
    apiVersion: given(version),
    resourceVersion: given(textOf(meta["resourceVersion"])),
    subresource: given(subresource),
  });
}

/** Of a refusal, what it says; of anything else, the code only. */
function statusJson({ status }: ApiResponse, answer: JsonValue | undefined): JsonObject {
  const metadata = objectOf({});
  if (!isObject(answer) || answer["kind"] !== "Status") return objectOf({ metadata, code: status });
  const { status: outcome, message, reason, details } = answer;
  return objectOf({ metadata, status: outcome, message, reason, details, code: status });
}

function bodyJson(body: ApiResponse["body"], { config, info }: AuditFacts): JsonValue | undefined {
  if (typeof body === "string") return body === "" ? undefined : withoutManagedFields(parse(body), config);
  return body instanceof Uint8Array ? withoutManagedFields(fromProtobuf(body, info), config) : undefined;
}

function requestJson({ body, request, config, info }: AuditFacts): JsonValue | undefined {
  if (body === undefined || body.length === 0) return undefined;
  const type = request.header("content-type") ?? "";
  if (type.includes("protobuf")) return withoutManagedFields(fromProtobuf(body, info), config);
  return withoutManagedFields(parse(body, type.includes("yaml")), config);
}

/** Undefined for other bytes. */
function fromProtobuf(bytes: Uint8Array, { group, version }: RequestInfo): JsonValue | undefined {
  try {
    return decodeProtobuf(bytes, { group, version, kind: "" });
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return undefined;
  }
}

/** Bodies that are not JSON are left out: audit events contain objects. */
function parse(body: string | Uint8Array, isYaml = false): JsonValue | undefined {
  const decoded = isYaml ? decodeYaml(body) : decodeJson(body);
  return decoded.error === undefined ? decoded.value : undefined;
}

function withoutManagedFields(value: JsonValue | undefined, config: AuditConfig): JsonValue | undefined {
  if (!config.omitManagedFields || !isObject(value)) return value;
  const { items } = value;
  if (isArray(items)) {
    return withMember(
      value,
      "items",
      items.map((item) => withoutManagedFields(item, config) ?? item),
    );
  }
  return isObject(value["metadata"]) ? withMeta(value, { managedFields: undefined }) : value;
}

function microTime(milliseconds: number): string {
  const whole = new Date(Math.floor(milliseconds)).toISOString().slice(0, 19);
  const micros = Math.floor((milliseconds % 1000) * 1000);
  return `${whole}.${String(micros).padStart(6, "0")}Z`;
}
