/**
 * Schemas changed for publishing: int-or-string spelled out, and what OpenAPI version 2 cannot say taken away.
 *
 * Follows apiextensions pkg/apiserver/schema/unfold.go and pkg/controller/openapi/v2/conversion.go.
 */
import { EMPTY_SCHEMA, type Structural } from "../schema/structural.ts";

const INTEGER: Structural = { ...EMPTY_SCHEMA, type: "integer" };
const STRING: Structural = { ...EMPTY_SCHEMA, type: "string" };
const EITHER: readonly Structural[] = [INTEGER, STRING];

/** Says by `anyOf` that the value is an integer or a text, unless the author has said so. */
export function unfoldIntOrString(schema: Structural): Structural {
  const inner = mapChildren(schema, unfoldIntOrString);
  if (!schema.intOrString || isEither(schema.anyOf) || isEither(schema.allOf[0]?.anyOf ?? [])) return inner;
  if (schema.anyOf.length === 0) return { ...inner, anyOf: EITHER };
  return { ...inner, allOf: [{ ...EMPTY_SCHEMA, anyOf: EITHER }, ...inner.allOf] };
}

function isEither(anyOf: readonly Structural[]): boolean {
  return anyOf.length === 2 && anyOf[0]?.type === "integer" && anyOf[1]?.type === "string";
}

/** Untyped values must have neither items nor properties, or kubectl cannot read the document. */
export function toVersion2(schema: Structural): Structural {
  const { allOf, oneOf, anyOf, not } = schema;
  const isPlain = allOf.length + oneOf.length + anyOf.length === 0 && not === undefined;
  const plain: Structural = isPlain ? schema : { ...schema, allOf: [], oneOf: [], anyOf: [], not: undefined };
  return mapChildren(withoutNullableRequired(withoutOpenShape(withoutNullable(plain))), toVersion2);
}

function withoutNullable(schema: Structural): Structural {
  return schema.nullable ? { ...withoutShape(schema), type: "", nullable: false } : schema;
}

function withoutOpenShape(schema: Structural): Structural {
  const isOpen = schema.preserveUnknownFields === true;
  const shaped = isOpen ? withoutShape(schema) : schema;
  const isUntyped = (shaped.items === undefined && shaped.type === "array") || (isOpen && shaped.type === "object");
  return isUntyped ? { ...shaped, type: "" } : shaped;
}

function withoutShape(schema: Structural): Structural {
  return { ...schema, items: undefined, properties: EMPTY_SCHEMA.properties };
}

function withoutNullableRequired(schema: Structural): Structural {
  if (schema.additionalProperties?.schema?.nullable === true) return { ...schema, required: [] };
  const required = schema.required.filter((name) => schema.properties.get(name)?.nullable !== true);
  return required.length === schema.required.length ? schema : { ...schema, required };
}

/** The schema itself where no child changes: large CRDs have thousands of schemas, and few change. */
function mapChildren(schema: Structural, change: (child: Structural) => Structural): Structural {
  const { items, properties, additionalProperties } = schema;
  const inner = additionalProperties?.schema;
  const changedItems = items && change(items);
  const changedProperties = mapProperties(properties, change);
  const changedInner = inner && change(inner);
  if (changedItems === items && changedProperties === properties && changedInner === inner) return schema;
  return {
    ...schema,
    items: changedItems,
    properties: changedProperties,
    additionalProperties:
      additionalProperties && changedInner ? { ...additionalProperties, schema: changedInner } : additionalProperties,
  };
}

function mapProperties(
  properties: Structural["properties"],
  change: (child: Structural) => Structural,
): Structural["properties"] {
  let changed: Map<string, Structural> | undefined;
  for (const [name, each] of properties) {
    const now = change(each);
    if (now === each) continue;
    changed ??= new Map(properties);
    changed.set(name, now);
  }
  return changed ?? properties;
}
