/**
 * The fields every resource has in expressions, whether or not its schema declares them: kind, apiVersion,
 * metadata.name and metadata.generateName.
 *
 * All or nothing: unless the schema declares all five with these types, its own kind, apiVersion and metadata are
 * replaced, other metadata fields included.
 */
import { newSchema, type Structural } from "../schema/structural.ts";

const TEXT = newSchema({ type: "string" });
const METADATA = newSchema({
  type: "object",
  properties: new Map([
    ["name", TEXT],
    ["generateName", TEXT],
  ]),
});

export function withResourceFields(schema: Structural): Structural {
  if (declaresResourceFields(schema)) return schema;
  const properties = new Map(schema.properties);
  properties.set("kind", TEXT).set("apiVersion", TEXT).set("metadata", METADATA);
  return { ...schema, items: undefined, properties };
}

function declaresResourceFields({ properties }: Structural): boolean {
  const metadata = properties.get("metadata");
  return (
    properties.get("kind")?.type === "string" &&
    properties.get("apiVersion")?.type === "string" &&
    metadata?.type === "object" &&
    metadata.properties.get("name")?.type === "string" &&
    metadata.properties.get("generateName")?.type === "string"
  );
}
