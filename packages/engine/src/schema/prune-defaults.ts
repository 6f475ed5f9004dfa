/**
 * The defaults of a schema without what pruning would remove from them, as upstream serves them.
 *
 * Follows apiextensions pkg/apiserver/schema/defaulting/prune.go. Each default is pruned in an object that holds nothing
 * else, with the schema of the whole resource, so that those inside the metadata of an embedded resource are treated as
 * metadata. An unchanged schema is returned as it is.
 */
import { isArray, isObject, type JsonValue, newObject } from "../value/json.ts";
import { withMember } from "../value/rewrite.ts";
import { coerceEmbedded } from "./embedded.ts";
import { prune } from "./prune.ts";
import type { Structural } from "./structural.ts";

export function pruneDefaults(schema: Structural): Structural {
  return pruneNode(schema, [], schema);
}

/** From the root to a default: the names of members, and items. */
type Steps = readonly (string | typeof ITEM)[];
const ITEM = Symbol("item");
/** Stands for the members that are not properties. */
const ANY_MEMBER = "*";

function pruneNode(schema: Structural, steps: Steps, root: Structural): Structural {
  const pruned = pruneDefault(schema, steps, root);
  const items = schema.items && pruneNode(schema.items, [...steps, ITEM], root);
  const additionalProperties = pruneAdditional(schema, steps, root);
  const properties = pruneProperties(schema, steps, root);
  const isSame =
    pruned === schema.default &&
    items === schema.items &&
    additionalProperties === schema.additionalProperties &&
    properties === schema.properties;
  return isSame ? schema : { ...schema, default: pruned, items, additionalProperties, properties };
}

/** Undefined where nothing is left of it. */
function pruneDefault(schema: Structural, steps: Steps, root: Structural): Structural["default"] {
  if (schema.default === undefined) return undefined;
  const options = { isResourceRoot: true, dropInvalid: true };
  return valueAt(prune(coerceEmbedded(surround(schema.default, steps), root, options).value, root, options), steps);
}

function surround(value: JsonValue, steps: Steps): JsonValue {
  return steps.reduceRight<JsonValue>(
    (inner, step) => (step === ITEM ? [inner] : withMember(newObject(), step, inner)),
    value,
  );
}

function valueAt(object: JsonValue, steps: Steps): JsonValue | undefined {
  let value: JsonValue | undefined = object;
  for (const step of steps) {
    if (step === ITEM) value = isArray(value) ? value[0] : undefined;
    else value = isObject(value) ? value[step] : undefined;
  }
  return value;
}

function pruneAdditional(
  { additionalProperties }: Structural,
  steps: Steps,
  root: Structural,
): Structural["additionalProperties"] {
  if (additionalProperties?.schema === undefined) return additionalProperties;
  const schema = pruneNode(additionalProperties.schema, [...steps, ANY_MEMBER], root);
  return schema === additionalProperties.schema ? additionalProperties : { ...additionalProperties, schema };
}

function pruneProperties(schema: Structural, steps: Steps, root: Structural): ReadonlyMap<string, Structural> {
  let copy: Map<string, Structural> | undefined;
  for (const [name, property] of schema.properties) {
    const pruned = pruneNode(property, [...steps, name], root);
    if (pruned === property) continue;
    copy ??= new Map(schema.properties);
    copy.set(name, pruned);
  }
  return copy ?? schema.properties;
}
