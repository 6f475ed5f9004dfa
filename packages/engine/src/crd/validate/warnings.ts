/** Unknown formats are not enforced: the author gets a warning, for new formats only if the CRD changes. */
import { compatibilityVersion, type KubernetesVersion, minorOf } from "../../kubecel/versions.ts";
import { isSupportedFormat } from "../../schema/keywords/format.ts";
import { type InternalDefinition, schemasOf } from "../internal.ts";
import { unrecognizedFormat } from "../messages.ts";
import { forEachSchema } from "./schema-walk.ts";

/** One warning for each place a format is used in. */
export function definitionWarnings(
  definition: InternalDefinition,
  old: InternalDefinition | undefined,
  version: KubernetesVersion,
): string[] {
  const known = new Set(old === undefined ? [] : unrecognizedFormats(old, version));
  return unrecognizedFormats(definition, version)
    .filter((format) => !known.has(format))
    .map(unrecognizedFormat);
}

function unrecognizedFormats(definition: InternalDefinition, version: KubernetesVersion): string[] {
  const minor = minorOf(compatibilityVersion(version));
  const formats: string[] = [];
  for (const schema of schemasOf(definition)) {
    forEachSchema(schema, ({ type, format }) => {
      if (format !== "" && !isSupportedFormat(format, [type], minor)) formats.push(format);
    });
  }
  return formats;
}
