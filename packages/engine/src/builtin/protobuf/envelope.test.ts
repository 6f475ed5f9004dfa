import { encodeUtf8 } from "@portcullis/gostd/utf8";
import fc from "fast-check";
import { expect, test } from "vitest";
import { StatusError } from "../../status/error.ts";
import { objectFrom } from "../object.ts";
import { decodeProtobuf, encodeProtobuf, encodeWatchEvent } from "./envelope.ts";

const CONFIG_MAP = { group: "", version: "v1", kind: "ConfigMap" };
const NAMED = [0x0a, 0x0f, 0x0a, 0x02, 0x76, 0x31, 0x12, 0x09, ...encodeUtf8("ConfigMap")];
const body = (...bytes: number[]): Uint8Array => new Uint8Array([0x6b, 0x38, 0x73, 0, ...bytes]);

test.each([
  { name: "no bytes", bytes: new Uint8Array(), message: "empty data (<empty>)" },
  { name: "only the prefix", bytes: body(), message: "empty body (6b387300)" },
  {
    name: "JSON",
    bytes: encodeUtf8('{"kind":"ConfigMap"}'),
    message:
      'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0] ({"kind":"ConfigMap"})',
  },
  { name: "a length past the end", bytes: body(0x0a, 0xff), message: "unexpected EOF (6b3873000aff)" },
  {
    name: "a wire type that does not exist",
    bytes: body(0x0f),
    message: "proto: wrong wireType = 7 for field TypeMeta (6b3873000f)",
  },
  { name: "a group", bytes: body(0x0b, 0x0c), message: "proto: wrong wireType = 3 for field TypeMeta (6b3873000b0c)" },
  {
    name: "a number without end",
    bytes: body(...new Array<number>(12).fill(0xff)),
    message: "proto: integer overflow (6b387300ffffffffffffffffffffffff)",
  },
])("an envelope of $name is not recognized", ({ bytes, message }) => {
  expect(messageOf(bytes)).toBe(`the object provided is unrecognized (must be of type ConfigMap): ${message}`);
});

test.each([
  {
    name: "a field of the wrong wire type",
    raw: [0x08, 0x01],
    message: "proto: wrong wireType = 0 for field ObjectMeta",
  },
  { name: "a tag without a length", raw: [0x0a], message: "unexpected EOF" },
  { name: "field 0", raw: [0x00, 0x00], message: "proto: ConfigMap: illegal tag 0 (wire type 0)" },
  { name: "the end of a group", raw: [0x0c, 0x00], message: "proto: ConfigMap: wiretype end group for non-group" },
  { name: "an entry past the end", raw: [0x12, 0x7f], message: "unexpected EOF" },
])("an object with $name is refused", ({ raw, message }) => {
  const bytes = body(...NAMED, 0x12, raw.length, ...raw);
  expect(messageOf(bytes)).toBe(`ConfigMap in version "v1" cannot be handled as a ConfigMap: ${message}`);
});

test("a body without a kind is of the kind the request expects", () => {
  expect(decodeProtobuf(body(0x12, 0), CONFIG_MAP)).toEqual({ kind: "ConfigMap", apiVersion: "v1" });
});

test("unknown fields are dropped", () => {
  expect(decodeProtobuf(body(...NAMED, 0x12, 0x02, 0x78, 0x05), CONFIG_MAP)["kind"]).toBe("ConfigMap");
});

test("schemas nested past the limit are refused", () => {
  const definition = { group: "apiextensions.k8s.io", version: "v1", kind: "CustomResourceDefinition" };
  const nested = (levels: number): Uint8Array => {
    let schema: number[] = [];
    for (let depth = 0; depth < levels; depth++) schema = message(28, schema); // not
    const version = message(7, message(4, message(1, schema))); // versions, schema, openAPIV3Schema
    return body(...message(2, message(2, version))); // the object, spec
  };
  expect(decodeProtobuf(nested(500), definition)["spec"]).toBeDefined();
  expect(() => decodeProtobuf(nested(700), definition)).toThrow("exceeded max depth");
});

test("any bytes are read or refused", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (raw) => {
      const bytes = body(...NAMED, 0x12, ...length(raw.length), ...raw);
      try {
        expect(decodeProtobuf(bytes, CONFIG_MAP)["kind"]).toBe("ConfigMap");
      } catch (error) {
        expect(error).toBeInstanceOf(StatusError);
      }
    }),
  );
});

test("an event is prefixed with its length", () => {
  const frame = encodeWatchEvent("ADDED", new Uint8Array([1, 2]));
  expect([...frame]).toEqual([0, 0, 0, 13, 0x0a, 5, ...encodeUtf8("ADDED"), 0x12, 4, 0x0a, 2, 1, 2]);
});

test("a custom resource has no protobuf form", () => {
  expect(encodeProtobuf(objectFrom({ kind: "Widget", apiVersion: "example.com/v1" }))).toBeUndefined();
});

function messageOf(bytes: Uint8Array): string {
  try {
    decodeProtobuf(bytes, CONFIG_MAP);
  } catch (error) {
    if (error instanceof StatusError) return error.message;
    throw error;
  }
  return "";
}

function length(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, value >> 7];
}

/** A field that is a message. */
function message(field: number, content: readonly number[]): number[] {
  return [...length((field << 3) | 2), ...length(content.length), ...content];
}

test("the older version of metadata alone is written, in a list with its items first", () => {
  const apiVersion = "meta.k8s.io/v1beta1";
  const single = objectFrom({ apiVersion, kind: "PartialObjectMetadata", metadata: { name: "a" } });
  const list = objectFrom({
    apiVersion,
    kind: "PartialObjectMetadataList",
    metadata: { resourceVersion: "7" },
    items: [],
  });
  const bodyOf = (object: typeof single): string => {
    const text = Buffer.from(encodeProtobuf(object) ?? []).toString("latin1");
    return text.slice(text.indexOf(String(object["kind"])) + String(object["kind"]).length);
  };
  expect(bodyOf(single)).toContain("\n\x01a");
  // ListMeta is field 2, its resourceVersion field 2 of that.
  expect(bodyOf(list)).toContain("\x12\x07\n\0\x12\x017\x1a\0");
});
