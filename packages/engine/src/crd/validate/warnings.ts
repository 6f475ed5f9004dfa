/** What is accepted and does not work as written: unknown formats, and sets of items that are not scalars. */
import { compatibilityVersion, type KubernetesVersion, minorOf } from "../../kubecel/versions.ts";
import { isSupportedFormat } from "../../schema/keywords/format.ts";
import { type InternalDefinition, schemasOf } from "../internal.ts";
import { setOfItems, unrecognizedFormat } from "../messages.ts";
import { forEachSchema } from "./schema-walk.ts";

/** One warning for each place a format is used in. If a CRD changes, only what is new is reported. */
export function definitionWarnings(
  definition: InternalDefinition,
  old: InternalDefinition | undefined,
  version: KubernetesVersion,
): string[] {
  const known = new Set(old === undefined ? [] : unrecognizedFormats(old, version));
  const formats = unrecognizedFormats(definition, version).filter((format) => !known.has(format));
  return [...formats.map(unrecognizedFormat), ...newSetWarnings(definition, old, version)];
}

function newSetWarnings(
  definition: InternalDefinition,
  old: InternalDefinition | undefined,
  version: KubernetesVersion,
): string[] {
  if (minorOf(version) < SET_WARNINGS_SINCE) return [];
  const known = new Set(old === undefined ? [] : typesInSets(old));
  return typesInSets(definition)
    .filter((type) => !known.has(type))
    .map(setOfItems);
}

const FORMAT_WARNINGS_SINCE = 34;
const SET_WARNINGS_SINCE = 37;

/** The types of items in sets that are not scalars, sorted. */
function typesInSets(definition: InternalDefinition): string[] {
  const types = new Set<string>();
  for (const schema of schemasOf(definition)) {
    forEachSchema(schema, ({ listType, items }) => {
      if (listType === "set" && (items?.type === "object" || items?.type === "array")) types.add(items.type);
    });
  }
  return [...types].sort();
}

function unrecognizedFormats(definition: InternalDefinition, version: KubernetesVersion): string[] {
  if (minorOf(version) < FORMAT_WARNINGS_SINCE) return [];
  const minor = minorOf(compatibilityVersion(version));
  const formats: string[] = [];
  for (const schema of schemasOf(definition)) {
    forEachSchema(schema, ({ type, format }) => {
      // Before 1.36 only the formats of strings were looked at.
      if (minorOf(version) < 36 && type !== "string") return;
      if (format !== "" && !isSupportedFormat(format, [type], minor)) formats.push(format);
    });
  }
  return formats;
}
