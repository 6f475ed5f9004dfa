/**
 * The endpoints of a custom resource: what each of them leaves to others.
 *
 * Follows GetResetFields of apiextensions pkg/registry/customresource. The resource itself does not write the status
 * where that has an endpoint of its own; the status endpoint writes nothing but the status. The resource knows this only
 * for the version of the request, the status endpoint for every version that has one.
 */
import { makePath } from "../fieldset/path.ts";
import { type FieldSet, setOf } from "../fieldset/set.ts";
import { applyDefaults } from "../schema/default.ts";
import type { Structural } from "../schema/structural.ts";
import { isObject, type JsonObject, newObject } from "../value/json.ts";
import * as messages from "./messages.ts";
import type { FieldManagerScope } from "./scope.ts";
import type { ResourceTypes } from "./types/typed.ts";

export interface CustomResourceEndpoint {
  readonly group: string;
  readonly kind: string;
  readonly version: string;
  readonly subresource: "" | "status";
  readonly types: ResourceTypes;
  /** The schema of the version, for defaulting. */
  readonly schema: Structural | undefined;
  /** The versions that have a status endpoint. */
  readonly versionsWithStatus: readonly string[];
  readonly parseJson: (text: string) => JsonObject | undefined;
}

/**
 * How a custom resource is applied: its types, and the fields that apply leaves alone.
 * @example customResourceScope({ ...endpoint, types: customResourceTypes(resource) })
 */
export function customResourceScope(endpoint: CustomResourceEndpoint): FieldManagerScope {
  const { group, kind, version, subresource, types, schema, parseJson } = endpoint;
  const apiVersion = `${group}/${version}`;
  return {
    apiVersion,
    kind,
    subresource,
    types,
    resetFields: resetFields(endpoint),
    emptyObject: emptyObject(apiVersion, kind),
    complete: (object) => ({ object: defaulted(object, schema) }),
    parseJson,
  };
}

export interface ScaleEndpoint {
  readonly types: ResourceTypes;
  readonly parseJson: (text: string) => JsonObject | undefined;
}

const SCALE_VERSION = "autoscaling/v1";

/** The types must know `autoscaling/v1` Scale. Whatever an apply here would change fails, as it does upstream. */
export function customResourceScaleScope({ types, parseJson }: ScaleEndpoint): FieldManagerScope {
  return {
    apiVersion: SCALE_VERSION,
    kind: "Scale",
    subresource: "scale",
    types,
    resetFields: new Map(),
    emptyObject: emptyObject(SCALE_VERSION, "Scale"),
    complete: (object) => ({ object }),
    parseJson,
    cannotConvert: messages.invalidConversion(SCALE_VERSION),
  };
}

const STATUS = setOf(makePath("status"));
const NOT_STATUS = setOf(makePath("metadata"), makePath("spec"));

function resetFields({
  group,
  version,
  subresource,
  versionsWithStatus,
}: CustomResourceEndpoint): Map<string, FieldSet> {
  const versions =
    subresource === "status" ? versionsWithStatus : versionsWithStatus.filter((name) => name === version);
  const fields = subresource === "status" ? NOT_STATUS : STATUS;
  return new Map(versions.map((name) => [`${group}/${name}`, fields]));
}

function emptyObject(apiVersion: string, kind: string): JsonObject {
  const object = newObject();
  object["apiVersion"] = apiVersion;
  object["kind"] = kind;
  return object;
}

function defaulted(object: JsonObject, schema: Structural | undefined): JsonObject {
  const result = applyDefaults(object, schema);
  return isObject(result) ? result : object;
}
