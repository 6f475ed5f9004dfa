/** Messages of our own: a cluster in memory is made of texts that may be anything. */
import type { JsonObject } from "../value/json.ts";
import { textOf } from "../value/metadata.ts";

export function unknownKind(object: JsonObject): string {
  const [kind, apiVersion] = [textOf(object["kind"]), textOf(object["apiVersion"])];
  return `no schema for ${kind || "an unnamed kind"} in ${apiVersion || "an unnamed version"}`;
}

export const notAnObject = (): string => "the document is not an object";
