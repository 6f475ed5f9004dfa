/**
 * A configuration laid over an object without anybody owning anything: what mutating policies do.
 *
 * What the type takes as a whole may not be in the configuration: setting one field of it would remove the others.
 * Follows ApplyStructuredMergeDiff of apiserver pkg/admission/plugin/policy/mutating/patch.
 */
import { isArray, isObject, type JsonObject, type JsonValue } from "../value/json.ts";
import { mergeValues } from "./merge.ts";
import { MergeError } from "./merge-error.ts";
import { asTyped, type ResourceTypes } from "./types/typed.ts";
import type { MergeType } from "./types/types.ts";
import { formatFindings, type TypeFinding, validateType } from "./validate.ts";

export type Overlaid =
  | { readonly outcome: "merged"; readonly object: JsonObject }
  /** One of the two does not fit the type. */
  | { readonly outcome: "unfit"; readonly which: "configuration" | "object"; readonly reason: string }
  | { readonly outcome: "atomic"; readonly paths: readonly string[] };

export interface OverlayOptions {
  /** What else is wrong with the configuration. */
  readonly findings?: (type: MergeType) => readonly TypeFinding[];
}

/** Both are of one kind and version. */
export function overlay(
  types: ResourceTypes,
  object: JsonObject,
  configuration: JsonObject,
  { findings }: OverlayOptions = {},
): Overlaid {
  const config = typed(() => asTyped(types, configuration, { allowDuplicates: false }));
  const type = typeof config === "string" ? typeOf(types, configuration) : config.type;
  const more = type === undefined ? [] : (findings?.(type) ?? []);
  if (type !== undefined && more.length > 0) {
    const all = [...validateType(type, configuration, { allowDuplicates: false }), ...more];
    return { outcome: "unfit", which: "configuration", reason: formatFindings(all) };
  }
  if (typeof config === "string") return { outcome: "unfit", which: "configuration", reason: config };
  const paths = atomicPaths(config.type, config.value, "");
  if (paths.length > 0) return { outcome: "atomic", paths };
  const live = typed(() => asTyped(types, object, { allowDuplicates: true }));
  if (typeof live === "string") return { outcome: "unfit", which: "object", reason: live };
  const merged = mergeValues(live.type, live.value, config.value);
  return { outcome: "merged", object: isObject(merged) ? merged : object };
}

function typeOf(types: ResourceTypes, { apiVersion, kind }: JsonObject): MergeType | undefined {
  return types.typeOf(typeof apiVersion === "string" ? apiVersion : "", typeof kind === "string" ? kind : "");
}

/** A text says why not. */
function typed<T>(make: () => T): T | string {
  try {
    return make();
  } catch (error) {
    if (error instanceof MergeError) return error.message;
    throw error;
  }
}

/** Only declared fields are looked into. */
function atomicPaths({ map, list }: MergeType, value: JsonValue, path: string): string[] {
  if (isObject(value) && map !== undefined) {
    const inner = Object.entries(value).flatMap(([name, member]) => {
      const field = map.fields.get(name);
      return field === undefined ? [] : atomicPaths(field.type, member, `${path}.${name}`);
    });
    return map.relationship === "atomic" ? [path, ...inner] : inner;
  }
  if (!isArray(value) || list === undefined) return [];
  const { element, relationship } = list;
  const inner =
    element === undefined ? [] : value.flatMap((item, index) => atomicPaths(element, item, `${path}[${index}]`));
  return relationship === "atomic" ? [path, ...inner] : inner;
}
