/** With the gate `CRDPropertyNameSchemas` off, `x-kubernetes-property-names` is as if it were not there. */
import type { AdditionalProperties, Structural } from "./structural.ts";

/** The schema without it, at any depth; the schema itself where it has none. */
export function withoutPropertyNames(schema: Structural): Structural {
  return hasPropertyNames(schema) ? strip(schema) : schema;
}

function hasPropertyNames(schema: Structural): boolean {
  return schema.propertyNames !== undefined || innerSchemas(schema).some(hasPropertyNames);
}

function innerSchemas(schema: Structural): readonly Structural[] {
  const single = [schema.items, schema.additionalProperties?.schema, schema.not];
  return [...single.filter((each) => each !== undefined), ...schema.properties.values(), ...branches(schema)];
}

function branches({ allOf, anyOf, oneOf }: Structural): readonly Structural[] {
  return [...allOf, ...anyOf, ...oneOf];
}

function strip(schema: Structural): Structural {
  return {
    ...schema,
    propertyNames: undefined,
    items: schema.items && withoutPropertyNames(schema.items),
    not: schema.not && withoutPropertyNames(schema.not),
    properties: new Map([...schema.properties].map(([name, inner]) => [name, withoutPropertyNames(inner)])),
    additionalProperties: stripAdditional(schema.additionalProperties),
    allOf: schema.allOf.map(withoutPropertyNames),
    anyOf: schema.anyOf.map(withoutPropertyNames),
    oneOf: schema.oneOf.map(withoutPropertyNames),
  };
}

function stripAdditional(additional: AdditionalProperties | undefined): AdditionalProperties | undefined {
  if (additional?.schema === undefined) return additional;
  return { ...additional, schema: withoutPropertyNames(additional.schema) };
}
