/** Joins the members of a document: as JSON, and as protobuf. Members come in the order of their names. */
import { openApiV2Protobuf } from "@portcullis/engine/internal/openapi/protobuf";
import { newObject } from "@portcullis/engine/internal/value/json";
import { canonicalJson } from "@portcullis/engine/internal/value/text";
import { encodeUtf8 } from "@portcullis/gostd/utf8";
import { type Members, sortedMembers } from "./assembler.ts";

export function jsonOf(members: Members): Uint8Array {
  const parts: Uint8Array[] = [];
  addJson(parts, members);
  return concatenate(parts);
}

const [OPEN, CLOSE, COMMA] = ["{", "}", ","].map(encodeUtf8) as [Uint8Array, Uint8Array, Uint8Array];

function addJson(parts: Uint8Array[], members: Members): void {
  parts.push(OPEN);
  let isFirst = true;
  for (const [name, value] of sortedMembers(members)) {
    if (!isFirst) parts.push(COMMA);
    isFirst = false;
    parts.push(encodeUtf8(`${canonicalJson(name)}:`));
    if (value instanceof Map) addJson(parts, value);
    else parts.push(value instanceof Uint8Array ? value : encodeUtf8(canonicalJson(value.value)));
  }
  parts.push(CLOSE);
}

/** Members that are maps have entries of protobuf. */
export function protobufOf(members: Members): Uint8Array {
  const plain = newObject();
  const contents = new Map<string, Uint8Array>();
  for (const [name, value] of members) {
    if (value instanceof Map)
      contents.set(name, concatenate(sortedMembers(value).map(([, entry]) => entryBytes(entry))));
    else if (!(value instanceof Uint8Array)) plain[name] = value.value;
  }
  return openApiV2Protobuf(plain, contents);
}

function entryBytes(entry: unknown): Uint8Array {
  if (!(entry instanceof Uint8Array)) throw new Error("an entry of a document is not encoded");
  return entry;
}

function concatenate(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
