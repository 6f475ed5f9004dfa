/**
 * A CustomResourceDefinition as data, read from its JSON after defaulting.
 *
 * Members of the wrong type count as absent: decoding (`crd/decode.ts`) has refused them before.
 */
import { parseSchema } from "../schema/parse.ts";
import type { Structural } from "../schema/structural.ts";
import { isArray, isObject, type JsonObject, type JsonValue } from "../value/json.ts";

export interface CustomResourceDefinition {
  readonly name: string;
  readonly group: string;
  readonly names: DefinitionNames;
  readonly scope: string;
  readonly versions: readonly DefinitionVersion[];
  readonly conversion: JsonObject | undefined;
  readonly preserveUnknownFields: boolean;
  readonly storedVersions: readonly string[];
  readonly conditions: readonly JsonObject[];
  /** The object itself. */
  readonly json: JsonObject;
}

export interface DefinitionNames {
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly kind: string;
  readonly listKind: string;
  readonly categories: readonly string[];
}

export interface DefinitionVersion {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly deprecated: boolean;
  readonly deprecationWarning: string | undefined;
  readonly schema: Structural | undefined;
  /** Undefined if there are no subresources at all. */
  readonly subresources: Subresources | undefined;
  readonly columns: readonly PrinterColumn[];
  readonly selectableFields: readonly string[];
}

export interface Subresources {
  readonly status: boolean;
  readonly scale: ScaleSubresource | undefined;
}

export interface ScaleSubresource {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath: string | undefined;
}

export interface PrinterColumn {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  readonly priority: number;
  readonly jsonPath: string;
}

export function readDefinition(json: JsonObject): CustomResourceDefinition {
  const spec = object(json["spec"]);
  const status = object(json["status"]);
  return {
    name: text(object(json["metadata"])["name"]),
    group: text(spec["group"]),
    names: readNames(object(spec["names"])),
    scope: text(spec["scope"]),
    versions: objects(spec["versions"]).map(readVersion),
    conversion: isObject(spec["conversion"]) ? spec["conversion"] : undefined,
    preserveUnknownFields: spec["preserveUnknownFields"] === true,
    storedVersions: texts(status["storedVersions"]),
    conditions: objects(status["conditions"]),
    json,
  };
}

export function readNames(json: JsonObject): DefinitionNames {
  return {
    plural: text(json["plural"]),
    singular: text(json["singular"]),
    shortNames: texts(json["shortNames"]),
    kind: text(json["kind"]),
    listKind: text(json["listKind"]),
    categories: texts(json["categories"]),
  };
}

function readVersion(json: JsonObject): DefinitionVersion {
  const schema = object(json["schema"])["openAPIV3Schema"];
  const warning = json["deprecationWarning"];
  return {
    name: text(json["name"]),
    served: json["served"] === true,
    storage: json["storage"] === true,
    deprecated: json["deprecated"] === true,
    deprecationWarning: typeof warning === "string" ? warning : undefined,
    schema: isObject(schema) ? parseSchema(schema) : undefined,
    subresources: isObject(json["subresources"]) ? readSubresources(json["subresources"]) : undefined,
    columns: objects(json["additionalPrinterColumns"]).map(readColumn),
    selectableFields: objects(json["selectableFields"]).map((each) => text(each["jsonPath"])),
  };
}

function readSubresources(json: JsonObject): Subresources {
  const scale = json["scale"];
  return { status: isObject(json["status"]), scale: isObject(scale) ? readScale(scale) : undefined };
}

function readScale(json: JsonObject): ScaleSubresource {
  const selector = json["labelSelectorPath"];
  return {
    specReplicasPath: text(json["specReplicasPath"]),
    statusReplicasPath: text(json["statusReplicasPath"]),
    labelSelectorPath: typeof selector === "string" ? selector : undefined,
  };
}

function readColumn(json: JsonObject): PrinterColumn {
  const priority = json["priority"];
  return {
    name: text(json["name"]),
    type: text(json["type"]),
    format: text(json["format"]),
    description: text(json["description"]),
    priority: typeof priority === "number" ? priority : 0,
    jsonPath: text(json["jsonPath"]),
  };
}

function object(json: JsonValue | undefined): JsonObject {
  return isObject(json) ? json : {};
}

function objects(json: JsonValue | undefined): JsonObject[] {
  return isArray(json) ? json.filter(isObject) : [];
}

function text(json: JsonValue | undefined): string {
  return typeof json === "string" ? json : "";
}

function texts(json: JsonValue | undefined): readonly string[] {
  return isArray(json) ? json.map(text) : [];
}
