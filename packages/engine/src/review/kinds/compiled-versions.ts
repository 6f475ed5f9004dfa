/** The versions of a CRD, compiled when they are first needed, with the types that server-side apply merges by. */
import { customResourceScaleScope, customResourceScope } from "../../apply/custom-resource-scope.ts";
import type { FieldManagerScope } from "../../apply/scope.ts";
import { customResourceTypes as mergeTypes } from "../../apply/types/custom-resource-types.ts";
import type { Conversion, ResourceTypes } from "../../apply/types/typed.ts";
import { builtinTypes } from "../../builtin/apply-types.ts";
import { decodeJson } from "../../codec/json.ts";
import type { CustomResourceDefinition } from "../../crd/definition.ts";
import type { Structural } from "../../schema/structural.ts";
import { StatusError } from "../../status/error.ts";
import { isObject, type JsonObject } from "../../value/json.ts";
import { canonicalJson } from "../../value/text.ts";
import { ConversionNeeded } from "../conversions.ts";
import { type CustomResource, compileResource, type EngineOptions } from "../custom-resource/custom-resource.ts";

export interface CustomKindOptions {
  readonly engine: EngineOptions;
  /** Whether the CRD is being deleted: nothing new is created then. */
  readonly isTerminating?: boolean;
  /** For CRDs with a conversion webhook; undefined where versions differ only in their name. */
  readonly converter?: ResourceConverter | undefined;
  /** The CRD with its schemas, where the one given is without: they are read when they are needed. */
  readonly load?: () => CustomResourceDefinition;
}

/** Converts objects outside, such as by a webhook. */
export interface ResourceConverter {
  /** The object in another version. Throws a StatusError where it cannot be converted. */
  convert(object: JsonObject, apiVersion: string): Promise<JsonObject>;
}

/** Each version compiled once, when it is first needed. */
export class CompiledVersions {
  readonly definition: CustomResourceDefinition;
  /** Undefined where versions differ in nothing but their name. */
  readonly converter: ResourceConverter | undefined;
  readonly #options: EngineOptions;
  readonly #compiled = new Map<string, CustomResource>();
  readonly #scopes = new Map<string, FieldManagerScope | undefined>();
  readonly #load: () => CustomResourceDefinition;
  #types: ResourceTypes | undefined;

  constructor(definition: CustomResourceDefinition, { engine, converter, load }: CustomKindOptions) {
    this.definition = definition;
    this.converter = converter;
    this.#options = engine;
    this.#load = load ?? (() => definition);
  }

  schemaOf(name: string): Structural | undefined {
    return this.#load().versions.find((each) => each.name === name)?.schema;
  }

  /** Undefined for a version that the definition no longer has. */
  get(name: string): CustomResource | undefined {
    const known = this.#compiled.get(name);
    if (known !== undefined || !this.definition.versions.some((each) => each.name === name)) return known;
    const definition = this.#load();
    const version = definition.versions.find((each) => each.name === name);
    if (version === undefined) return undefined;
    const resource = compileResource(definition, version, this.#options);
    this.#compiled.set(name, resource);
    return resource;
  }

  need(name: string): CustomResource {
    const resource = this.get(name);
    if (resource === undefined) throw new Error(`no version ${name} in ${this.definition.name}`);
    return resource;
  }

  fieldScope(version: string, subresource: string): FieldManagerScope | undefined {
    // What a webhook converted is remembered by the scope, which must not outlive the request then.
    if (this.converter !== undefined) return this.#newFieldScope(version, subresource);
    const key = `${version}/${subresource}`;
    if (!this.#scopes.has(key)) this.#scopes.set(key, this.#newFieldScope(version, subresource));
    return this.#scopes.get(key);
  }

  #newFieldScope(version: string, subresource: string): FieldManagerScope | undefined {
    if (subresource === "scale") return customResourceScaleScope({ types: builtinTypes, parseJson: parseObject });
    if (subresource !== "" && subresource !== "status") return undefined;
    const { group, names, versions } = this.definition;
    return customResourceScope({
      group,
      kind: names.kind,
      version,
      subresource,
      types: this.converter === undefined ? this.#mergeTypes() : convertedTypes(this.#mergeTypes(), this.converter),
      schema: this.need(version).schema,
      versionsWithStatus: versions.filter((each) => each.subresources?.status === true).map(({ name }) => name),
      parseJson: parseObject,
    });
  }

  #mergeTypes(): ResourceTypes {
    if (this.#types !== undefined) return this.#types;
    const { group, names, preserveUnknownFields, versions } = this.#load();
    this.#types = mergeTypes({ group, kind: names.kind, preserveUnknownFields, versions });
    return this.#types;
  }

  get storageVersion(): string {
    return this.definition.versions.find(({ storage }) => storage)?.name ?? "";
  }
}

/** Who owns what is worked out without waiting: it stops where a conversion is missing, and runs again. */
function convertedTypes(types: ResourceTypes, converter: ResourceConverter): ResourceTypes {
  const known = new Map<string, Conversion>();
  return {
    typeOf: types.typeOf,
    convert: (object, apiVersion) => {
      const renamed = types.convert(object, apiVersion);
      if (renamed.outcome !== "converted") return renamed;
      const key = `${apiVersion} ${canonicalJson(object)}`;
      const found = known.get(key);
      if (found !== undefined) return found;
      throw new ConversionNeeded(async () => {
        known.set(key, await attempt(() => converter.convert(object, apiVersion)));
      });
    },
  };
}

async function attempt(convertObject: () => Promise<JsonObject>): Promise<Conversion> {
  try {
    return { outcome: "converted", object: await convertObject() };
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    return { outcome: "failed", reason: error.message };
  }
}

function parseObject(text: string): JsonObject | undefined {
  const decoded = decodeJson(text);
  return decoded.error === undefined && isObject(decoded.value) ? decoded.value : undefined;
}
