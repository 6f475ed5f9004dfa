/**
 * `application/vnd.kubernetes.protobuf`: four bytes, then a message that names the kind and holds the object.
 *
 * Follows apimachinery runtime/serializer/protobuf.
 */
import { badRequest } from "../../status/error.ts";
import { type JsonObject, newObject } from "../../value/json.ts";
import type { Kind } from "../decode.ts";
import * as texts from "../messages.ts";
import { textOf } from "../object.ts";
import { stableNameOf } from "../prerelease-versions.ts";
import { summarizeBytes } from "../summary.ts";
import { type StructField, type StructType, structOfKind } from "../types.ts";
import { decodeMessage } from "./decode.ts";
import { encodeMessage } from "./encode.ts";
import * as messages from "./messages.ts";
import { BYTES, WireFailure, WireReader } from "./reader.ts";
import { WireWriter } from "./writer.ts";

const MAGIC = new Uint8Array([0x6b, 0x38, 0x73, 0x00]);

/**
 * The object in a body, as JSON that names its kind; what the body leaves out is taken from what the request expects. It
 * is not decoded yet: `decodeTyped` has the last word. Throws the API server's refusal where the bytes are malformed.
 */
export function decodeProtobuf(bytes: Uint8Array, expected: Kind): JsonObject {
  const envelope = readEnvelope(bytes, expected);
  const apiVersion = envelope.apiVersion || formatVersion(expected);
  const kind = envelope.kind || expected.kind;
  const [group, version] = apiVersion.includes("/") ? apiVersion.split("/") : ["", apiVersion];
  const type = messageOf(group ?? "", version ?? "", kind) ?? everywhere(kind);
  const object =
    type === undefined
      ? newObject()
      : decodeBody(envelope.raw, type, { found: { kind, version: version ?? "" }, expected });
  object["kind"] = kind;
  object["apiVersion"] = apiVersion;
  return object;
}

/** The bytes of a request are read, and those of an answer written, before and after the rules of a server apply. */
function messageOf(group: string, version: string, kind: string): StructType | undefined {
  return structOfKind(group, version, kind) ?? structOfKind(group, stableNameOf(group, version, kind) ?? "", kind);
}

/** Options of deletion are known to every group version, and clients name the one they talk to. */
function everywhere(kind: string): StructType | undefined {
  return kind === "DeleteOptions" ? structOfKind("", "v1", kind) : undefined;
}

interface Claim {
  readonly found: { readonly kind: string; readonly version: string };
  readonly expected: Kind;
}

function decodeBody(raw: Uint8Array, type: StructType, { found, expected }: Claim): JsonObject {
  try {
    return decodeMessage(raw, type);
  } catch (failure) {
    if (!(failure instanceof WireFailure)) throw failure;
    throw badRequest(texts.cannotHandle(found, expected.kind, failure.message));
  }
}

interface Envelope {
  readonly apiVersion: string;
  readonly kind: string;
  readonly raw: Uint8Array;
}

function readEnvelope(bytes: Uint8Array, { kind }: Kind): Envelope {
  // Options of deletion are not what a request is about, so nothing is said of them.
  const refuse = (reason: string): Error =>
    badRequest(kind === "DeleteOptions" ? reason : texts.unrecognized(kind, reason, summarizeBytes(bytes)));
  if (bytes.length === 0) throw refuse(messages.emptyData());
  if (!MAGIC.every((byte, index) => bytes[index] === byte)) throw refuse(messages.noPrefix());
  if (bytes.length === MAGIC.length) throw refuse(messages.emptyBody());
  try {
    return readUnknown(new WireReader(bytes, MAGIC.length));
  } catch (failure) {
    if (!(failure instanceof WireFailure)) throw failure;
    throw refuse(failure.message);
  }
}

const UNKNOWN_FIELDS = ["", "TypeMeta", "Raw", "ContentEncoding", "ContentType"];

function readUnknown(reader: WireReader): Envelope {
  let envelope: Envelope = { apiVersion: "", kind: "", raw: new Uint8Array() };
  while (!reader.isDone) {
    const { field, wireType } = reader.readTag("Unknown");
    const name = UNKNOWN_FIELDS[field];
    if (name === undefined) reader.skip(wireType);
    else if (wireType !== BYTES) throw new WireFailure(messages.wrongWireType(wireType, name));
    else if (field === 1) envelope = { ...envelope, ...readTypeMeta(reader.readMessage()) };
    else if (field === 2) envelope = { ...envelope, raw: reader.readBytes() };
    else reader.skip(wireType);
  }
  return envelope;
}

function readTypeMeta(reader: WireReader): Pick<Envelope, "apiVersion" | "kind"> {
  let [apiVersion, kind] = ["", ""];
  while (!reader.isDone) {
    const { field, wireType } = reader.readTag("TypeMeta");
    if (wireType !== BYTES || field > 2) reader.skip(wireType);
    else if (field === 1) apiVersion = reader.readText();
    else kind = reader.readText();
  }
  return { apiVersion, kind };
}

/** Undefined for kinds that have no protobuf form, such as custom resources. The object names its kind. */
export function encodeProtobuf(object: JsonObject): Uint8Array | undefined {
  const [apiVersion, kind] = [textOf(object, "apiVersion"), textOf(object, "kind")];
  const [group, version] = apiVersion.includes("/") ? apiVersion.split("/") : ["", apiVersion];
  const type = messageOf(group ?? "", version ?? "", kind) ?? metadataType(apiVersion, kind);
  return type === undefined ? undefined : inEnvelope(apiVersion, kind, encodeMessage(object, type));
}

/** The older version of metadata alone is that of version 1, but a list has its two fields the other way round. */
function metadataType(apiVersion: string, kind: string): StructType | undefined {
  if (apiVersion !== "meta.k8s.io/v1beta1" || !kind.startsWith("PartialObjectMetadata")) return undefined;
  const type = structOfKind("meta.k8s.io", "v1", kind);
  if (type === undefined || !kind.endsWith("List")) return type;
  const swapped = (field: StructField): StructField => {
    return field.name === "items" || field.name === "metadata" ? { ...field, proto: 3 - field.proto } : field;
  };
  const fields = type.fields.map(swapped).sort((a, b) => a.proto - b.proto);
  return { ...type, fields };
}

/** A message with the name of its kind around it. */
export function inEnvelope(apiVersion: string, kind: string, message: Uint8Array): Uint8Array {
  const writer = new WireWriter();
  writer.writeRaw(MAGIC);
  writer.writeMessage(1, (meta) => {
    meta.writeText(1, apiVersion);
    meta.writeText(2, kind);
  });
  writer.writeBytes(2, message);
  writer.writeText(3, "");
  writer.writeText(4, "");
  return writer.finish();
}

/** One event of a watch, with its length before it. `object` has its envelope. */
export function encodeWatchEvent(type: string, object: Uint8Array): Uint8Array {
  const event = new WireWriter();
  event.writeText(1, type);
  event.writeMessage(2, (raw) => raw.writeBytes(1, object));
  const body = event.finish();
  const frame = new Uint8Array(4 + body.length);
  new DataView(frame.buffer).setUint32(0, body.length);
  frame.set(body, 4);
  return frame;
}

function formatVersion({ group, version }: Kind): string {
  return group === "" ? version : `${group}/${version}`;
}
