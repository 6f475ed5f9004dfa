/** Finds the place in a CRD's file that a finding is about. */
import { isObject, type JsonObject, newObject } from "@portcullis/engine/internal/value/json";

const HOISTED: readonly (readonly [string, string])[] = [
  ["spec.validation", "spec.versions[0].schema"],
  ["spec.subresources", "spec.versions[0].subresources"],
  ["spec.additionalPrinterColumns", "spec.versions[0].additionalPrinterColumns"],
  ["spec.selectableFields", "spec.versions[0].selectableFields"],
];

/** Errors in fields that all versions share are reported above `versions`; in the file each version has them. */
export function sourcePath(path: string, definition: JsonObject): string {
  const spec = isObject(definition["spec"]) ? definition["spec"] : newObject();
  for (const [reported, written] of HOISTED) {
    const key = reported.slice("spec.".length);
    if (path.startsWith(reported) && spec[key] === undefined) return written + path.slice(reported.length);
  }
  return path;
}
