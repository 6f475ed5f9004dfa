/**
 * Pruning: fields that the schema does not name are removed, unless it says to preserve them.
 *
 * Follows apiextensions pkg/apiserver/schema/pruning.
 */
import { isArray, isObject, type JsonObject, type JsonValue } from "../value/json.ts";
import { rewriteItems, rewriteMembers } from "../value/rewrite.ts";
import { isMetaField, type Structural } from "./structural.ts";

export interface PruneOptions {
  /** The value is a whole resource: its apiVersion, kind and metadata stay. */
  readonly isResourceRoot: boolean;
  /** Gets the path of each removed field, such as `spec.list[0].field`, in the order they are met. */
  readonly onUnknown?: ((path: string) => void) | undefined;
}

export function prune(value: JsonValue, schema: Structural | undefined, options: PruneOptions): JsonValue {
  const walk: Walk = { path: [], onUnknown: options.onUnknown };
  return pruneValue(value, schema, options.isResourceRoot, walk);
}

interface Walk {
  /** Kept only while somebody listens. */
  readonly path: string[];
  readonly onUnknown: ((path: string) => void) | undefined;
}

function pruneValue(value: JsonValue, schema: Structural | undefined, isRoot: boolean, walk: Walk): JsonValue {
  if (schema?.preserveUnknownFields === true) return preserveValue(value, schema, isRoot, walk);
  if (isArray(value)) {
    return rewriteItems(value, (item, index) =>
      below(`[${index}]`, walk, () => pruneValue(item, schema?.items, false, walk)),
    );
  }
  return isObject(value) ? pruneObject(value, schema, isRoot, walk) : value;
}

function pruneObject(object: JsonObject, schema: Structural | undefined, isRoot: boolean, walk: Walk): JsonValue {
  const keepsMeta = isRoot || schema?.embeddedResource === true;
  return rewriteMembers(object, (member, key) => {
    if (keepsMeta && isMetaField(key)) return member;
    const property = schema?.properties.get(key);
    if (property !== undefined) return below(`.${key}`, walk, () => pruneValue(member, property, false, walk));
    // `additionalProperties: true` and `false` alike keep the key and prune all that is below it.
    const additional = schema?.additionalProperties;
    if (additional !== undefined) {
      return below(`.${key}`, walk, () => pruneValue(member, additional.schema, false, walk));
    }
    walk.onUnknown?.([...walk.path, `.${key}`].join("").slice(1));
    return undefined;
  });
}

/** Below a node that preserves unknown fields only what the schema names is pruned again; items of lists never are. */
function preserveValue(value: JsonValue, schema: Structural | undefined, isRoot: boolean, walk: Walk): JsonValue {
  if (schema === undefined) return value;
  if (isArray(value)) {
    return rewriteItems(value, (item, index) =>
      below(`[${index}]`, walk, () => preserveValue(item, schema.items, false, walk)),
    );
  }
  if (!isObject(value)) return value;
  const keepsMeta = isRoot || schema.embeddedResource;
  return rewriteMembers(value, (member, key) => {
    if (keepsMeta && isMetaField(key)) return member;
    const property = schema.properties.get(key);
    if (property === undefined && schema.additionalProperties === undefined) return member;
    const memberSchema = property ?? schema.additionalProperties?.schema;
    return below(`.${key}`, walk, () => pruneValue(member, memberSchema, false, walk));
  });
}

function below(segment: string, walk: Walk, descend: () => JsonValue): JsonValue {
  if (walk.onUnknown === undefined) return descend();
  walk.path.push(segment);
  const result = descend();
  walk.path.pop();
  return result;
}
