/** The versions of a custom resource that is converted by changing its apiVersion and nothing else. */
import type { Structural } from "../../schema/structural.ts";
import type { JsonObject } from "../../value/json.ts";
import { withMember } from "../../value/rewrite.ts";
import * as messages from "../messages.ts";
import { formatKind, kindOf, parseGroupVersion } from "./kind.ts";
import { customResourceType } from "./structural-type.ts";
import type { Conversion, ResourceTypes } from "./typed.ts";
import type { MergeType } from "./types.ts";

export interface CustomResourceVersions {
  readonly group: string;
  readonly kind: string;
  readonly preserveUnknownFields: boolean;
  /** All versions of the definition, served or not. */
  readonly versions: readonly { readonly name: string; readonly schema: Structural | undefined }[];
}

/**
 * The merge types of all versions of a CRD.
 * @example customResourceTypes({ group: "example.com", kind: "Widget", preserveUnknownFields: false, versions })
 */
export function customResourceTypes(resource: CustomResourceVersions): ResourceTypes {
  const { group, kind, preserveUnknownFields } = resource;
  const types = new Map<string, MergeType>(
    resource.versions.map(({ name, schema }) => [
      `${group}/${name}`,
      customResourceType(schema, { preserveUnknownFields }),
    ]),
  );
  return {
    typeOf: (apiVersion, ofKind) => (ofKind === kind ? types.get(apiVersion) : undefined),
    convert: (object, apiVersion) => convertByName(object, apiVersion, group, types),
  };
}

/** A version the definition does not have is an error here, not a version to forget. */
function convertByName(
  object: JsonObject,
  apiVersion: string,
  group: string,
  types: ReadonlyMap<string, MergeType>,
): Conversion {
  const target = parseGroupVersion(apiVersion);
  if (target?.group !== group) {
    return { outcome: "failed", reason: messages.unsuitableConversion(formatKind(kindOf(object)), apiVersion) };
  }
  if (!types.has(apiVersion)) return { outcome: "failed", reason: messages.invalidConversion(apiVersion) };
  return { outcome: "converted", object: withMember(object, "apiVersion", apiVersion) };
}
