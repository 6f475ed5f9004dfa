/** Objects of a CRD between the version they are stored in and the version a client asks for. */
import { bareError } from "../../status/error.ts";
import type { JsonObject } from "../../value/json.ts";
import { textOf } from "../../value/metadata.ts";
import { withMember } from "../../value/rewrite.ts";
import { coerceResource, decodeResource } from "../custom-resource/coerce.ts";
import type { CustomResource } from "../custom-resource/custom-resource.ts";
import { apiVersionOf, type Converting } from "../kind.ts";
import * as messages from "../messages.ts";
import type { CompiledVersions, ResourceConverter } from "./compiled-versions.ts";

/** Pruned and defaulted by the version it was stored in, then shown in the version asked for. */
export function readStored(stored: JsonObject, compiled: CompiledVersions, version: string): JsonObject {
  const storedAs = textOf(stored["apiVersion"]).split("/").at(-1) ?? "";
  const resource = compiled.get(storedAs);
  if (resource === undefined) return convertTo(stored, compiled, version);
  const decoded = decodeResource(stored, resource, { fromStorage: true });
  if (decoded.error !== undefined) throw bareError(decoded.error);
  return convertTo(decoded.object, compiled, version);
}

export function convertTo(object: JsonObject, compiled: CompiledVersions, version: string): JsonObject {
  const apiVersion = apiVersionOf({ group: compiled.definition.group, version });
  if (object["apiVersion"] === apiVersion) return object;
  return coerceConverted(withMember(object, "apiVersion", apiVersion), compiled.need(version));
}

function coerceConverted(object: JsonObject, resource: CustomResource): JsonObject {
  const coerced = coerceResource(object, resource, { fromStorage: true });
  if (coerced.error !== undefined) throw bareError(coerced.error);
  return coerced.object;
}

export function convertingBy(converter: ResourceConverter, compiled: CompiledVersions, version: string): Converting {
  const to = async (object: JsonObject, target: string): Promise<JsonObject> => {
    const apiVersion = apiVersionOf({ group: compiled.definition.group, version: target });
    if (object["apiVersion"] === apiVersion) return object;
    return coerceConverted(await converter.convert(object, apiVersion), compiled.need(target));
  };
  return {
    read: async (stored) => {
      const apiVersion = textOf(stored["apiVersion"]);
      const resource = compiled.get(apiVersion.split("/").at(-1) ?? "");
      if (resource === undefined) throw bareError(messages.invalidSource(apiVersion));
      const decoded = decodeResource(stored, resource, { fromStorage: true });
      if (decoded.error !== undefined) throw bareError(decoded.error);
      return to(decoded.object, version);
    },
    write: (object) => to(object, compiled.storageVersion),
    convert: (object, apiVersion) => converter.convert(object, apiVersion),
  };
}
