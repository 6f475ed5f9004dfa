/**
 * The fields every resource has in expressions, whether or not its schema declares them: kind, apiVersion,
 * metadata.name and metadata.generateName.
 *
 * All or nothing: unless the schema declares all five with these types, its own kind, apiVersion and metadata are
 * replaced, other metadata fields included.
 */
import { newSchema, type Structural } from "../schema/structural.ts";
import { since } from "../value/server-version.ts";

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
  properties.set("kind", TEXT).set("apiVersion", TEXT).set("metadata", metadataOf(schema));
  return { ...schema, items: undefined, properties };
}

/** Since Kubernetes 1.37 names have a greatest length, so that rules about them do not cost without limit. */
function metadataOf({ properties }: Structural): Structural {
  if (!since("1.37")) return METADATA;
  const own = properties.get("metadata")?.properties;
  return newSchema({
    type: "object",
    properties: new Map([
      ["name", capped(own?.get("name"), MAX_NAME)],
      ["generateName", capped(own?.get("generateName"), MAX_NAME - 1)],
    ]),
  });
}

const MAX_NAME = 253;

function capped(schema: Structural | undefined, max: number): Structural {
  return newSchema({ type: "string", maxLength: Math.min(schema?.maxLength ?? max, max) });
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
