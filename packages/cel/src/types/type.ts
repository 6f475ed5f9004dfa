/** The types of the language and how cel-go prints them. */

/** A type of the language: plain data, so types can be compared and stored. Example: `mapOf(STRING, INT)`. */
export type Type =
  | { readonly kind: PrimitiveKind }
  | { readonly kind: "list"; readonly element: Type }
  | { readonly kind: "map"; readonly key: Type; readonly value: Type }
  /** `type(int)`; undefined means the bare `type`. */
  | { readonly kind: "type"; readonly of: Type | undefined }
  | { readonly kind: "param"; readonly name: string }
  /** An abstract type a library declares, `optional_type(int)` among them. */
  | { readonly kind: "opaque"; readonly name: string; readonly params: readonly Type[] }
  /** A message type with fields, known to the type provider by name. */
  | { readonly kind: "object"; readonly name: string }
  /** A primitive that may be null, as protobuf's wrapper messages are. */
  | { readonly kind: "wrapper"; readonly of: Type };

export type PrimitiveKind =
  | "dyn"
  | "any"
  | "error"
  | "null"
  | "bool"
  | "int"
  | "uint"
  | "double"
  | "string"
  | "bytes"
  | "timestamp"
  | "duration";

/**
 * Any value; checked at run time.
 * @example new Environment({ variables: { object: DYN } })
 */
export const DYN: Type = { kind: "dyn" };
/**
 * A `google.protobuf.Any`, checked at run time like `DYN`.
 * @example new Environment({ variables: { device: ANY } })
 */
export const ANY: Type = { kind: "any" };
export const ERROR: Type = { kind: "error" };
/**
 * The type of `null`.
 * @example formatType(NULL) // "null"
 */
export const NULL: Type = { kind: "null" };
/**
 * `true` or `false`.
 * @example new Environment({ variables: { enabled: BOOL } })
 */
export const BOOL: Type = { kind: "bool" };
/**
 * A 64-bit signed integer.
 * @example new Environment({ variables: { replicas: INT } })
 */
export const INT: Type = { kind: "int" };
/**
 * A 64-bit unsigned integer.
 * @example new Environment({ variables: { port: UINT } })
 */
export const UINT: Type = { kind: "uint" };
/**
 * A 64-bit floating-point number.
 * @example new Environment({ variables: { ratio: DOUBLE } })
 */
export const DOUBLE: Type = { kind: "double" };
/**
 * A string of Unicode code points.
 * @example new Environment({ variables: { name: STRING } })
 */
export const STRING: Type = { kind: "string" };
/**
 * A sequence of bytes.
 * @example new Environment({ variables: { data: BYTES } })
 */
export const BYTES: Type = { kind: "bytes" };
/**
 * An instant.
 * @example new Environment({ variables: { created: TIMESTAMP } })
 */
export const TIMESTAMP: Type = { kind: "timestamp" };
/**
 * A span of time.
 * @example new Environment({ variables: { timeout: DURATION } })
 */
export const DURATION: Type = { kind: "duration" };
export const TYPE: Type = { kind: "type", of: undefined };

/**
 * A list type.
 * @example formatType(listOf(STRING)) // "list(string)"
 */
export function listOf(element: Type): Type {
  return { kind: "list", element };
}

/**
 * A map type.
 * @example formatType(mapOf(STRING, INT)) // "map(string, int)"
 */
export function mapOf(key: Type, value: Type): Type {
  return { kind: "map", key, value };
}

export function typeOf(of: Type): Type {
  return { kind: "type", of };
}

/**
 * A type parameter of an overload.
 * @example global("first_list", [listOf(typeParam("T"))], typeParam("T"), (list) => (list instanceof ListValue ? list.at(0) : null))
 */
export function typeParam(name: string): Type {
  return { kind: "param", name };
}

/**
 * An abstract type that a library declares.
 * @example formatType(opaqueType("net.IP")) // "net.IP"
 */
export function opaqueType(name: string, ...params: Type[]): Type {
  return { kind: "opaque", name, params };
}

/**
 * An object type with fields, found by name in a `TypeProvider`.
 * @example formatType(objectType("example.Widget")) // "example.Widget"
 */
export function objectType(name: string): Type {
  return { kind: "object", name };
}

export function wrapperOf(of: Type): Type {
  return { kind: "wrapper", of };
}

export const OPTIONAL_TYPE_NAME = "optional_type";

/**
 * The type of optional values.
 * @example formatType(optionalOf(INT)) // "optional_type(int)"
 */
export function optionalOf(element: Type): Type {
  return { kind: "opaque", name: OPTIONAL_TYPE_NAME, params: [element] };
}

export function isOptional(type: Type): boolean {
  return type.kind === "opaque" && type.name === OPTIONAL_TYPE_NAME;
}

export function isDyn(type: Type): boolean {
  return type.kind === "dyn" || type.kind === "any" || type.kind === "error";
}

const TYPE_NAMES: Readonly<Record<PrimitiveKind, string>> = {
  dyn: "dyn",
  any: "any",
  error: "!error!",
  null: "null",
  bool: "bool",
  int: "int",
  uint: "uint",
  double: "double",
  string: "string",
  bytes: "bytes",
  timestamp: "timestamp",
  duration: "duration",
};

/**
 * A type as checker messages print it: `formatType(listOf(INT))` is `list(int)`.
 * @example formatType(listOf(INT)) // "list(int)"
 */
export function formatType(type: Type): string {
  switch (type.kind) {
    case "list":
      return `list(${formatType(type.element)})`;
    case "map":
      return `map(${formatType(type.key)}, ${formatType(type.value)})`;
    case "type":
      return type.of === undefined ? "type" : `type(${formatType(type.of)})`;
    case "param":
    case "object":
      return type.name;
    case "opaque":
      return type.params.length === 0 ? type.name : `${type.name}(${type.params.map(formatType).join(", ")})`;
    case "wrapper":
      return `wrapper(${formatType(type.of)})`;
    default:
      return TYPE_NAMES[type.kind];
  }
}

export function equalTypes(left: Type, right: Type): boolean {
  if (left === right) return true;
  switch (left.kind) {
    case "list":
      return right.kind === "list" && equalTypes(left.element, right.element);
    case "map":
      return right.kind === "map" && equalTypes(left.key, right.key) && equalTypes(left.value, right.value);
    case "type":
      if (right.kind !== "type") return false;
      return left.of === undefined || right.of === undefined ? left.of === right.of : equalTypes(left.of, right.of);
    case "param":
      return right.kind === "param" && left.name === right.name;
    case "object":
      return right.kind === "object" && left.name === right.name;
    case "opaque":
      return right.kind === "opaque" && left.name === right.name && equalLists(left.params, right.params);
    case "wrapper":
      return right.kind === "wrapper" && equalTypes(left.of, right.of);
    default:
      return left.kind === right.kind;
  }
}

function equalLists(left: readonly Type[], right: readonly Type[]): boolean {
  if (left.length !== right.length) return false;
  return left.every((type, index) => equalTypes(type, right[index] ?? DYN));
}
