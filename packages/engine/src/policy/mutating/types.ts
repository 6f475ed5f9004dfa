/**
 * The types that mutations are written with: `Object`, `Object.spec` and so on, and `JSONPatch`.
 *
 * The names of `Object` types have no schema: any name is a type and any field is dynamic. Whether names fit their
 * fields is checked after a value has been created. An unset field reads as null. Follows apiserver pkg/cel/mutation.
 */
import {
  type CelError,
  DYN,
  equalTypes,
  equalValues,
  MapValue,
  objectType,
  STRING,
  type Type,
  type TypeProvider,
  type Value,
} from "@portcullis/cel/internal";
import * as messages from "./messages.ts";

export const OBJECT_TYPE = objectType("Object");
export const JSON_PATCH_TYPE = objectType("JSONPatch");

/** What upstream's missing type is printed as. */
const NO_TYPE = objectType("");

export const patchTypes: TypeProvider = {
  findType: (name) => (isPatchType(name) ? objectType(name) : undefined),
  findField: (typeName, field) => {
    if (typeName === "JSONPatch") return JSON_PATCH_FIELDS[field] ?? NO_TYPE;
    return isPatchType(typeName) ? DYN : undefined;
  },
};

const JSON_PATCH_FIELDS: Readonly<Record<string, Type>> = { op: STRING, path: STRING, from: STRING, value: DYN };

function isPatchType(name: string): boolean {
  return name === "JSONPatch" || name === "Object" || name.startsWith("Object.");
}

/** Undefined for the names of other types. */
export function constructPatchType(typeName: string, fields: ReadonlyMap<string, Value>): Value | undefined {
  if (typeName === "JSONPatch") return jsonPatch(fields);
  return isPatchType(typeName) ? new ObjectLiteral(typeName, fields) : undefined;
}

/** A value with the fields that a literal names. */
abstract class Literal extends MapValue {
  abstract readonly typeName: string;
  abstract readonly fields: ReadonlyMap<string, Value>;

  get size(): number {
    return this.fields.size;
  }
  override get objectType(): Type {
    return objectType(this.typeName);
  }
  keys(): readonly Value[] {
    return [...this.fields.keys()];
  }
  get(key: Value): Value | undefined {
    return typeof key === "string" ? this.fields.get(key) : undefined;
  }
  override hasField(name: string): boolean {
    return this.fields.has(name);
  }
  override equalTo(other: MapValue): boolean | CelError {
    if (!(other instanceof Literal) || !equalTypes(this.objectType, other.objectType)) return false;
    if (this.size !== other.size) return false;
    return [...this.fields].every(([name, value]) => equalValues(value, other.fields.get(name) ?? null) === true);
  }
}

/** `Object{…}`, `Object.spec{…}`. */
export class ObjectLiteral extends Literal {
  readonly typeName: string;
  readonly fields: ReadonlyMap<string, Value>;
  constructor(typeName: string, fields: ReadonlyMap<string, Value>) {
    super();
    this.typeName = typeName;
    this.fields = fields;
  }
  override get goTypeName(): string {
    return "*dynamic.ObjectVal";
  }
  override field(name: string): Value {
    return this.fields.get(name) ?? null;
  }
}

/** `JSONPatch{…}`: one operation. */
export class JsonPatchLiteral extends Literal {
  readonly typeName = "JSONPatch";
  readonly fields: ReadonlyMap<string, Value>;
  readonly op: string;
  readonly path: string;
  readonly from: string;
  constructor(fields: ReadonlyMap<string, Value>) {
    super();
    this.fields = fields;
    [this.op, this.path, this.from] = [textAt(fields, "op"), textAt(fields, "path"), textAt(fields, "from")];
  }
  override get goTypeName(): string {
    return "*mutation.JSONPatchVal";
  }
  /** Undefined if there is none. */
  get value(): Value | undefined {
    return this.fields.get("value");
  }
  override field(name: string): Value | undefined {
    return name === "value" ? (this.value ?? null) : textAt(this.fields, name);
  }
  override hasField(name: string): boolean {
    return name === "value" ? this.value !== undefined : textAt(this.fields, name) !== "";
  }
}

function textAt(fields: ReadonlyMap<string, Value>, name: string): string {
  const value = fields.get(name);
  return typeof value === "string" ? value : "";
}

function jsonPatch(fields: ReadonlyMap<string, Value>): Value {
  for (const [name, value] of fields) {
    if (name === "value") continue;
    if (!(name in JSON_PATCH_FIELDS)) return messages.unknownPatchField(name);
    if (typeof value !== "string") return messages.wrongPatchField(name, value);
  }
  return new JsonPatchLiteral(fields);
}
