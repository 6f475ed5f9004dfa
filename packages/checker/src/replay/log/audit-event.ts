/**
 * An event of an audit log.
 *
 * API servers write the fields of an event in a fixed order, the two objects in the middle. So a line is cut into its
 * head, the objects and its tail, and the objects are decoded only if something needs them. If a part does not decode,
 * the line was cut at the wrong place, and is decoded as a whole.
 */
import { decodeJson } from "@portcullis/engine/internal/codec/json";
import type { UserInfo } from "@portcullis/engine/internal/kubecel/library/authz";
import { isObject, type JsonObject, type JsonValue } from "@portcullis/engine/internal/value/json";
import { objectOf, textOf, textsOf } from "@portcullis/engine/internal/value/read";
import { JsonText } from "./json-text.ts";

export interface ObjectReference {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
}

export interface AuditEvent {
  readonly auditID: string;
  readonly level: string;
  readonly stage: string;
  readonly uri: string;
  readonly verb: string;
  /** The impersonated user where there is one. */
  readonly user: UserInfo;
  readonly userAgent: string;
  /** Undefined for requests that are not about a resource. */
  readonly ref: ObjectReference | undefined;
  /** The HTTP status; 0 if the event has none. */
  readonly code: number;
  readonly reason: string;
  readonly message: string;
  /** Microseconds since 1970. */
  readonly received: number;
  readonly at: number;
  readonly annotations: JsonObject;
  readonly request: JsonText | undefined;
  readonly response: JsonText | undefined;
}

const REQUEST = Buffer.from(',"requestObject":');
const RESPONSE = Buffer.from(',"responseObject":');
const TAIL = Buffer.from(',"requestReceivedTimestamp":');

/** Undefined if the line is not JSON, or not an event. */
export function readEvent(line: Buffer): AuditEvent | undefined {
  return readInParts(line) ?? readWhole(line);
}

function readInParts(line: Buffer): AuditEvent | undefined {
  const request = line.indexOf(REQUEST);
  const response = line.indexOf(RESPONSE, Math.max(request, 0));
  const first = request < 0 ? response : request;
  if (first < 0) return readBare(line);
  const tail = line.lastIndexOf(TAIL);
  if (tail < first) return undefined;
  // The tail begins with a comma: both parts are one object. It does not parse if one was cut at a wrong place.
  const members = parseQuickly(line.toString("utf8", 0, first) + line.toString("utf8", tail));
  if (members === undefined || !isEvent(members)) return undefined;
  const part = (start: number, key: Buffer, end: number): JsonText | undefined =>
    start < 0 ? undefined : new JsonText(line, start + key.length, end);
  const objects = {
    request: part(request, REQUEST, response < 0 ? tail : response),
    response: part(response, RESPONSE, tail),
  };
  return eventOf(members, members, objects);
}

/** An event at level Metadata, or of a request that begins: many are. */
function readBare(line: Buffer): AuditEvent | undefined {
  const event = parseQuickly(line.toString());
  // Objects may be written in other ways than API servers do.
  if (event === undefined || "requestObject" in event || "responseObject" in event || !isEvent(event)) return undefined;
  return eventOf(event, event, { request: undefined, response: undefined });
}

/** For the parts of an event that contain texts and one small number: nothing that needs an exact decoder. */
function parseQuickly(text: string): JsonObject | undefined {
  try {
    const value: JsonValue = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function readWhole(line: Buffer): AuditEvent | undefined {
  const decoded = decodeJson(line.toString());
  if (decoded.error !== undefined || !isObject(decoded.value) || !isEvent(decoded.value)) return undefined;
  return eventFrom(decoded.value);
}

/** From the members that are left of a damaged event; undefined if they do not say what it is about. */
export function eventFromHead(head: JsonObject, at: number): AuditEvent | undefined {
  if (!isObject(head["objectRef"])) return undefined;
  return { ...eventOf(head, {}, { request: undefined, response: undefined }), at, received: at };
}

/** From an event that was decoded, such as an item of an EventList. */
export function eventFrom(event: JsonObject): AuditEvent {
  const text = (value: JsonValue | undefined): JsonText | undefined =>
    value === undefined ? undefined : JsonText.of(value);
  return eventOf(event, event, { request: text(event["requestObject"]), response: text(event["responseObject"]) });
}

export function isEvent(value: JsonObject): boolean {
  return value["kind"] === "Event" && textOf(value["apiVersion"]).startsWith("audit.k8s.io/");
}

/** An object that does not decode was cut out at the wrong place: the line is then read as a whole. */
export function checkedEvent(event: AuditEvent, line: Buffer): AuditEvent {
  const isSound = [event.request, event.response].every((each) => each === undefined || each.value() !== undefined);
  return isSound ? event : (readWhole(line) ?? event);
}

type Objects = Pick<AuditEvent, "request" | "response">;

function eventOf(head: JsonObject, tail: JsonObject, { request, response }: Objects): AuditEvent {
  const status = objectOf(head["responseStatus"]);
  const code = status["code"];
  const user = isObject(head["impersonatedUser"]) ? head["impersonatedUser"] : objectOf(head["user"]);
  const at = timeOf(tail["stageTimestamp"]);
  return {
    auditID: textOf(head["auditID"]),
    level: textOf(head["level"]),
    stage: textOf(head["stage"]),
    uri: textOf(head["requestURI"]),
    verb: textOf(head["verb"]),
    user: userOf(user),
    userAgent: textOf(head["userAgent"]),
    ref: isObject(head["objectRef"]) ? referenceOf(head["objectRef"]) : undefined,
    code: typeof code === "number" ? code : 0,
    reason: textOf(status["reason"]),
    message: textOf(status["message"]),
    received: timeOf(tail["requestReceivedTimestamp"]) || at,
    at,
    annotations: objectOf(tail["annotations"]),
    request,
    response,
  };
}

function referenceOf(ref: JsonObject): ObjectReference {
  return {
    group: textOf(ref["apiGroup"]),
    version: textOf(ref["apiVersion"]),
    resource: textOf(ref["resource"]),
    subresource: textOf(ref["subresource"]),
    namespace: textOf(ref["namespace"]),
    name: textOf(ref["name"]),
  };
}

const NO_EXTRA: UserInfo["extra"] = new Map();

function userOf(user: JsonObject): UserInfo {
  const extra =
    user["extra"] === undefined
      ? NO_EXTRA
      : new Map(Object.entries(objectOf(user["extra"])).map(([key, texts]) => [key, textsOf(texts)]));
  return { name: textOf(user["username"]), uid: textOf(user["uid"]), groups: textsOf(user["groups"]), extra };
}

const MICRO_LENGTH = "2026-11-16T03:49:13.805200Z".length;

/** Microseconds; 0 if there is no time. Node reads no more than milliseconds. */
export function timeOf(value: JsonValue | undefined): number {
  if (typeof value !== "string") return 0;
  const milliseconds = Date.parse(value);
  if (Number.isNaN(milliseconds)) return 0;
  // API servers write six digits: 2026-11-16T03:49:13.805200Z.
  const rest = value.length === MICRO_LENGTH ? Number(value.slice(-4, -1)) : 0;
  return milliseconds * 1000 + (Number.isNaN(rest) ? 0 : rest);
}
