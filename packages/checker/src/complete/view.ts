/**
 * What may be written at a place, from the schema of a CRD or from the Go types of built-in kinds.
 */
import type { GoShape } from "@portcullis/engine/internal/field/go-shape";
import { objectMeta } from "@portcullis/engine/internal/schema/meta-shape";
import type { Structural } from "@portcullis/engine/internal/schema/structural";
import { VALUES } from "./values.ts";

export type ViewType = "object" | "map" | "list" | "string" | "integer" | "number" | "boolean" | "time" | "any";

export interface View {
  readonly type: ViewType;
  /** A description, if there is one. */
  readonly about: string;
  /** The allowed values, if they are listed. */
  readonly values: readonly string[];
  readonly fields: () => readonly Field[];
  /** The value of a key, be it a field or an entry of a map. */
  readonly member: (key: string) => View | undefined;
  readonly item: () => View | undefined;
  /** Bounds and defaults, as the schema has them: `maxLength: 63`. */
  readonly bounds?: readonly string[];
  /** A page that describes it. */
  readonly link?: string;
}

export interface Field {
  readonly name: string;
  readonly isRequired: boolean;
  readonly view: View;
}

export function viewAt(root: View, path: readonly (string | number)[]): View | undefined {
  return path.reduce<View | undefined>(
    (view, step) => (typeof step === "number" ? view?.item() : view?.member(step)),
    root,
  );
}

const TYPES: Readonly<Record<string, ViewType>> = {
  array: "list",
  object: "object",
  string: "string",
  integer: "integer",
  number: "number",
  boolean: "boolean",
};

/** The root of a custom resource has the fields that all objects have. */
export function schemaView(schema: Structural, isResource = false): View {
  const others = schema.additionalProperties?.schema;
  const own = (): Field[] =>
    [...schema.properties].map(([name, inner]) => ({
      name,
      isRequired: schema.required.includes(name),
      view: schemaView(inner, inner.embeddedResource),
    }));
  const fields = isResource ? () => withObjectFields(own()) : own;
  const type = TYPES[schema.type] ?? "any";
  const isTime = schema.format === "date-time" && type === "string";
  return {
    type: isTime ? "time" : type === "object" && others !== undefined ? "map" : type,
    about: schema.description,
    values: enumValues(schema),
    bounds: boundsOf(schema),
    fields,
    member: (key) => fields().find(({ name }) => name === key)?.view ?? (others && schemaView(others)),
    item: () => schema.items && schemaView(schema.items, schema.items.embeddedResource),
  };
}

function boundsOf(schema: Structural): readonly string[] {
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, minProperties, maxProperties } = schema;
  const numbers = { minimum, maximum, minLength, maxLength, minItems, maxItems, minProperties, maxProperties };
  const { pattern, format, listType: list = "", default: fallback } = schema;
  const isPlain = typeof fallback === "string" || typeof fallback === "number" || typeof fallback === "boolean";
  const given = {
    ...numbers,
    format,
    pattern,
    "x-kubernetes-list-type": list,
    default: isPlain ? fallback : undefined,
  };
  return Object.entries(given).flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [`${name}: ${String(value)}`],
  );
}

function enumValues({ enum: values, type }: Structural): readonly string[] {
  if (type === "boolean") return ["true", "false"];
  return (values ?? []).flatMap((value) =>
    typeof value === "string" || typeof value === "number" ? [String(value)] : [],
  );
}

function withObjectFields(own: readonly Field[]): Field[] {
  const common = ["apiVersion", "kind"].map((name) => ({ name, isRequired: true, view: TEXT }));
  const meta = { name: "metadata", isRequired: true, view: shapeView(objectMeta) };
  const names = own.map(({ name }) => name);
  return [
    ...common.filter(({ name }) => !names.includes(name)),
    meta,
    ...own.filter(({ name }) => name !== "metadata"),
  ];
}

/** `schema` replaces Go types that are a schema or something else. */
export function shapeView(shape: GoShape, schema?: GoShape, name = ""): View {
  const self = schemaIn(shape, schema);
  const descend = (inner: GoShape, field = ""): View => shapeView(inner, schema ?? schemaOf(shape), field);
  const fields = (): Field[] => {
    if (self.kind !== "struct") return [];
    return [...self.fields()].map(([field, { shape: inner, omitEmpty, isPointer }]) => ({
      name: field,
      isRequired: !omitEmpty && !isPointer && field !== "status",
      view: descend(inner, `${self.go}.${field}`),
    }));
  };
  const of = self.kind === "map" || self.kind === "list" ? self.of : undefined;
  return {
    type: typeOf(self),
    about: "",
    values: self.kind === "bool" ? ["true", "false"] : (VALUES[name] ?? VALUES[self.go] ?? []),
    fields,
    member: (key) => (self.kind === "map" && of ? descend(of) : fields().find((each) => each.name === key)?.view),
    item: () => (self.kind === "list" && of ? descend(of, name) : undefined),
  };
}

/** Types such as JSONSchemaPropsOrBool decode themselves; what is worth completing is the schema. */
function schemaIn(shape: GoShape, schema: GoShape | undefined): GoShape {
  return shape.kind === "custom" && shape.go.startsWith("v1.JSONSchemaPropsOr") ? (schema ?? shape) : shape;
}

function schemaOf(shape: GoShape): GoShape | undefined {
  return shape.go === "v1.JSONSchemaProps" ? shape : undefined;
}

function typeOf(shape: GoShape): ViewType {
  switch (shape.kind) {
    case "struct":
      return "object";
    case "map":
    case "list":
    case "time":
      return shape.kind;
    case "bool":
      return "boolean";
    case "int":
      return "integer";
    case "float":
      return "number";
    case "string":
    case "bytes":
      return "string";
    default:
      return "any";
  }
}

/** An object of which only the names of its fields are known. */
export function namesView(names: readonly string[], type: ViewType = "object"): View {
  const unknown: View = { ...TEXT, type: "any" };
  const fields = names.map((name) => ({ name, isRequired: false, view: unknown }));
  return { ...unknown, type, fields: () => fields };
}

const TEXT: View = {
  type: "string",
  about: "",
  values: [],
  fields: () => [],
  member: () => undefined,
  item: () => undefined,
};
