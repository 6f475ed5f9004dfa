/**
 * The protobuf messages that every environment knows: literals of them are values of the language.
 *
 * `google.protobuf.Int64Value{value: 1}` is an int that might have been null, a `Struct` is a map, a `Value` whatever
 * it holds. Follows cel-go common/types/pb.
 */
import type { TypeProvider } from "./provider.ts";
import {
  ANY,
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  objectType,
  STRING,
  TIMESTAMP,
  type Type,
  UINT,
  wrapperOf,
} from "./type.ts";

const STRUCT = mapOf(STRING, DYN);
const LIST = listOf(DYN);

/** What a field holds, by the name Go has for it; `fields` and `values` are a map and a list of such. */
// biome-ignore format: a table
const FIELD_TYPES = {
  bool:                       BOOL,
  int32:                      INT,
  int64:                      INT,
  uint32:                     UINT,
  uint64:                     UINT,
  float32:                    DOUBLE,
  float64:                    DOUBLE,
  string:                     STRING,
  "[]uint8":                  BYTES,
  "protoreflect.EnumNumber":  INT,
  "*structpb.Struct":         STRUCT,
  "*structpb.ListValue":      LIST,
  fields:                     STRUCT,
  values:                     LIST,
} as const satisfies Readonly<Record<string, Type>>;

export type FieldKind = keyof typeof FIELD_TYPES;

export interface WellKnownMessage {
  readonly type: Type;
  readonly fields: Readonly<Record<string, FieldKind>>;
}

// biome-ignore format: a table
const MESSAGES = {
  Any:         { type: ANY,               fields: { type_url: "string", value: "[]uint8" } },
  BoolValue:   { type: wrapperOf(BOOL),   fields: { value: "bool" } },
  BytesValue:  { type: wrapperOf(BYTES),  fields: { value: "[]uint8" } },
  DoubleValue: { type: wrapperOf(DOUBLE), fields: { value: "float64" } },
  Duration:    { type: DURATION,          fields: { seconds: "int64", nanos: "int32" } },
  Empty:       { type: objectType("google.protobuf.Empty"), fields: {} },
  FloatValue:  { type: wrapperOf(DOUBLE), fields: { value: "float32" } },
  Int32Value:  { type: wrapperOf(INT),    fields: { value: "int32" } },
  Int64Value:  { type: wrapperOf(INT),    fields: { value: "int64" } },
  ListValue:   { type: LIST,              fields: { values: "values" } },
  StringValue: { type: wrapperOf(STRING), fields: { value: "string" } },
  Struct:      { type: STRUCT,            fields: { fields: "fields" } },
  Timestamp:   { type: TIMESTAMP,         fields: { seconds: "int64", nanos: "int32" } },
  UInt32Value: { type: wrapperOf(UINT),   fields: { value: "uint32" } },
  UInt64Value: { type: wrapperOf(UINT),   fields: { value: "uint64" } },
  Value: {
    type: DYN,
    fields: {
      null_value: "protoreflect.EnumNumber", number_value: "float64", string_value: "string", bool_value: "bool",
      struct_value: "*structpb.Struct", list_value: "*structpb.ListValue",
    },
  },
} as const satisfies Readonly<Record<string, WellKnownMessage>>;

export const WELL_KNOWN_MESSAGES: ReadonlyMap<string, WellKnownMessage> = new Map(
  Object.entries(MESSAGES).map(([name, message]) => [`google.protobuf.${name}`, message]),
);

/** The provider's types, and these for names that it does not have. */
export function withWellKnownTypes(provider: TypeProvider): TypeProvider {
  return {
    findType: (name) => provider.findType(name) ?? WELL_KNOWN_MESSAGES.get(name)?.type,
    findField: (typeName, field) => provider.findField(typeName, field) ?? wellKnownField(typeName, field),
  };
}

function wellKnownField(typeName: string, field: string): Type | undefined {
  const fields: Readonly<Record<string, FieldKind>> = WELL_KNOWN_MESSAGES.get(typeName)?.fields ?? {};
  const kind = Object.hasOwn(fields, field) ? fields[field] : undefined;
  return kind === undefined ? undefined : FIELD_TYPES[kind];
}
