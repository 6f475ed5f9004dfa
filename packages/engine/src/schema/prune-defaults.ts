/**
 * The defaults of a schema without what pruning would remove from them, as upstream serves them.
 *
 * Follows apiextensions pkg/apiserver/schema/defaulting/prune.go. New definitions with such defaults are refused; this is
 * for those that were stored before. An unchanged schema is returned as it is.
 */
import { coerceEmbedded } from "./embedded.ts";
import { prune } from "./prune.ts";
import { isMetaField, type Structural } from "./structural.ts";

export function pruneDefaults(schema: Structural): Structural {
  return pruneNode(schema, true);
}

/** What stands below a resource's own metadata is left alone: metadata is never pruned. */
function pruneNode(schema: Structural, isResource: boolean): Structural {
  const pruned = pruneDefault(schema, isResource);
  const items = schema.items && pruneNode(schema.items, schema.items.embeddedResource);
  const additionalProperties = pruneAdditional(schema);
  const properties = pruneProperties(schema, isResource);
  const isSame =
    pruned === schema.default &&
    items === schema.items &&
    additionalProperties === schema.additionalProperties &&
    properties === schema.properties;
  return isSame ? schema : { ...schema, default: pruned, items, additionalProperties, properties };
}

function pruneDefault(schema: Structural, isResourceRoot: boolean): Structural["default"] {
  if (schema.default === undefined) return undefined;
  const options = { isResourceRoot, dropInvalid: true };
  return prune(coerceEmbedded(schema.default, schema, options).value, schema, options);
}

function pruneAdditional({ additionalProperties }: Structural): Structural["additionalProperties"] {
  if (additionalProperties?.schema === undefined) return additionalProperties;
  const schema = pruneNode(additionalProperties.schema, additionalProperties.schema.embeddedResource);
  return schema === additionalProperties.schema ? additionalProperties : { ...additionalProperties, schema };
}

function pruneProperties(schema: Structural, isResource: boolean): ReadonlyMap<string, Structural> {
  let copy: Map<string, Structural> | undefined;
  for (const [name, property] of schema.properties) {
    if (isResource && isMetaField(name)) continue;
    const pruned = pruneNode(property, property.embeddedResource);
    if (pruned === property) continue;
    copy ??= new Map(schema.properties);
    copy.set(name, pruned);
  }
  return copy ?? schema.properties;
}
