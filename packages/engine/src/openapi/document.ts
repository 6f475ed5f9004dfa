/**
 * Whole documents: the version 3 document of a group version, and the version 2 document of everything.
 *
 * Parameters that all operations of a path share are at the path. Schemas are those that an operation needs, with
 * everything they refer to.
 */
import { type StructType, structAt, structOfKind } from "../builtin/types.ts";
import type { JsonObject, JsonValue } from "../value/json.ts";
import type { GroupVersion } from "../value/kind.ts";
import { type EnumOf, fixedSchema, type SchemaSink, structName, structSchema } from "./builtin-schema.ts";
import { kindSchema, listSchema } from "./custom-schema.ts";
import { fromEntries, object } from "./json.ts";
import * as names from "./names.ts";
import { type Operation, operationsOf, resourceListOperation } from "./operations.ts";
import { type Parameter, sortedByName } from "./parameters.ts";
import type { CustomSchema, OpenApiVersion, PublishedResource } from "./resource.ts";
import { SharedParameters } from "./shared-parameters.ts";

export interface DocumentOptions {
  /** Such as "1.36". */
  readonly version: string;
  /** If present, fields of built-in kinds list the values of their enumerations. */
  readonly enumOf?: EnumOf;
}

export function openApiV3(resources: readonly PublishedResource[], options: DocumentOptions): JsonObject {
  const isCustom = resources.every(({ custom }) => custom !== undefined);
  const schemas = new Schemas(3, options.enumOf);
  const paths = pathsOf(allOperations(resources, schemas), (operation) => operationV3(operation));
  const security = isCustom ? undefined : object({ BearerToken: BEARER_TOKEN });
  return object({
    openapi: "3.0.0",
    info: isCustom ? CUSTOM_INFO : object({ title: "Kubernetes", version: options.version }),
    paths,
    components: object({ schemas: schemas.finish(resources), securitySchemes: security }),
  });
}

export function openApiV2(resources: readonly PublishedResource[], options: DocumentOptions): JsonObject {
  const schemas = new Schemas(2, options.enumOf);
  const shared = new SharedParameters();
  const render = (operation: Operation) => operationV2(operation, shared);
  const paths = pathsOf(allOperations(resources, schemas), render, (each) => shared.share(parameterV2(each)));
  return object({
    swagger: "2.0",
    info: object({ title: "Kubernetes", version: options.version }),
    paths,
    definitions: schemas.finish(resources),
    parameters: shared.finish(),
    securityDefinitions: object({ BearerToken: BEARER_TOKEN }),
    security: [object({ BearerToken: [] })],
  });
}

const CUSTOM_INFO = object({ title: "Kubernetes CRD Swagger", version: "v0.1.0" });
const BEARER_TOKEN = object({
  description: "Bearer Token authentication",
  type: "apiKey",
  name: "authorization",
  in: "header",
});

function allOperations(resources: readonly PublishedResource[], schemas: Schemas): Operation[] {
  const builtIn = resources.filter(({ custom }) => custom === undefined);
  const operations = [
    ...uniqueGroupVersions(builtIn).map(({ group, version }) => resourceListOperation(group, version)),
    ...resources.flatMap((resource) => operationsOf(resource, schemas.nameOf)),
  ];
  for (const { responses, body } of operations) {
    for (const [, name] of responses) schemas.need(name);
    if (body !== undefined) schemas.need(body.schema);
  }
  return operations;
}

function uniqueGroupVersions(resources: readonly PublishedResource[]): GroupVersion[] {
  const all = new Map(resources.map(({ group, version }) => [`${group}/${version}`, { group, version }]));
  return [...all.values()];
}

type Render = (operation: Operation) => Readonly<Record<string, JsonValue | undefined>>;

function pathsOf(operations: readonly Operation[], render: Render, parameter = parameterV3): JsonObject {
  const byPath = new Map<string, Operation[]>();
  for (const operation of operations) byPath.set(operation.path, [...(byPath.get(operation.path) ?? []), operation]);
  const sorted = [...byPath].sort(([a], [b]) => (a < b ? -1 : 1));
  return fromEntries(sorted.map(([path, all]) => [path, pathItem(all, render, parameter)]));
}

function pathItem(operations: readonly Operation[], render: Render, parameter: typeof parameterV3): JsonObject {
  const shared = sharedParameters(operations);
  const rendered = operations.map((operation): [string, JsonObject] => {
    const own = operation.parameters.filter((each) => !shared.includes(each));
    const { parameters: extra, ...rest } = render(operation);
    const all = [...(Array.isArray(extra) ? extra : []), ...sortedByName(own).map(parameter)];
    return [operation.method, object({ ...rest, parameters: all.length === 0 ? undefined : all })];
  });
  const parameters = sortedByName(shared).map(parameter);
  return object({ ...fromEntries(rendered), parameters: parameters.length === 0 ? undefined : parameters });
}

function sharedParameters([first, ...rest]: readonly Operation[]): Parameter[] {
  return (first?.parameters ?? []).filter((each) => rest.every(({ parameters }) => has(parameters, each)));
}

function has(parameters: readonly Parameter[], wanted: Parameter): boolean {
  return parameters.includes(wanted);
}

function parameterV3({ name, in: place, type }: Parameter): JsonObject {
  const required = place === "path" ? true : undefined;
  return object({ name, in: place, required, schema: object({ type, uniqueItems: true }) });
}

function parameterV2({ name, in: place, type }: Parameter): JsonObject {
  return object({ uniqueItems: true, type, name, in: place, required: place === "path" ? true : undefined });
}

function shared({ tag, id, action, kind }: Operation): Readonly<Record<string, JsonValue | undefined>> {
  return {
    tags: [tag],
    operationId: id,
    "x-kubernetes-action": action,
    "x-kubernetes-group-version-kind": kind && object({ ...kind }),
  };
}

const UNAUTHORIZED = object({ description: "Unauthorized" });
const DESCRIPTIONS: Readonly<Record<string, string>> = { 200: "OK", 201: "Created", 202: "Accepted" };

function operationV3(operation: Operation): Readonly<Record<string, JsonValue | undefined>> {
  const { body, consumes, produces, responses } = operation;
  const answers = responses.map(([code, schema]): [string, JsonValue] => {
    return [code, object({ description: DESCRIPTIONS[code], content: contentV3(produces, schema) })];
  });
  return {
    ...shared(operation),
    requestBody:
      body && object({ content: contentV3(consumes, body.schema), required: body.isRequired ? true : undefined }),
    responses: fromEntries([...answers, ["401", UNAUTHORIZED]]),
  };
}

function contentV3(types: readonly string[], schema: string): JsonObject {
  const content = object({ schema: object({ $ref: names.reference(schema, 3) }) });
  return fromEntries([...types].sort().map((type) => [type, content]));
}

function operationV2(operation: Operation, sharing: SharedParameters): Readonly<Record<string, JsonValue | undefined>> {
  const { body, consumes, produces, responses } = operation;
  const answers = responses.map(([code, name]): [string, JsonValue] => {
    const schema = object({ $ref: names.reference(name, 2) });
    return [code, object({ description: DESCRIPTIONS[code], schema })];
  });
  return {
    ...shared(operation),
    consumes: [...consumes],
    produces: [...produces],
    schemes: ["https"],
    parameters: body === undefined ? [] : [sharing.share(bodyV2(body))],
    responses: fromEntries([...answers, ["401", UNAUTHORIZED]]),
  };
}

function bodyV2({ schema, isRequired }: NonNullable<Operation["body"]>): JsonObject {
  const required = isRequired ? true : undefined;
  return object({ name: "body", in: "body", required, schema: object({ $ref: names.reference(schema, 2) }) });
}

interface CommonSchema {
  readonly schema: JsonObject;
  readonly references: readonly Parameters<SchemaSink["refer"]>[];
}

/** Of built-in structs in documents of custom resources, which always look the same. */
const COMMON: Readonly<Record<OpenApiVersion, WeakMap<StructType, CommonSchema>>> = {
  2: new WeakMap(),
  3: new WeakMap(),
};

/** The schemas of one document, found by following references. */
class Schemas {
  readonly #version: OpenApiVersion;
  readonly #enumOf: EnumOf | undefined;
  readonly #structs = new Map<string, StructType | undefined>();
  readonly #queue: string[] = [];

  constructor(version: OpenApiVersion, enumOf: EnumOf | undefined) {
    this.#version = version;
    this.#enumOf = enumOf;
    for (const kind of ["Status", "DeleteOptions", "WatchEvent"]) this.nameOf("", "v1", kind);
  }

  readonly nameOf = (group: string, version: string, kind: string): string => {
    const struct = structOfKind(group, version, kind);
    if (struct === undefined) return `unknown.${kind}`;
    const name = structName(struct);
    this.#structs.set(name, struct);
    return name;
  };

  need(name: string): void {
    this.#queue.push(name);
  }

  finish(resources: readonly PublishedResource[]): JsonObject {
    const made = new Map<string, JsonObject>();
    for (const resource of resources) this.#addCustom(resource, made);
    const refer = (name: string, struct: StructType | undefined): void => {
      if (struct !== undefined) this.#structs.set(name, struct);
      this.#queue.push(name);
    };
    const builtIn = resources.filter(({ custom }) => custom === undefined);
    const groupVersions = uniqueGroupVersions(builtIn);
    for (let name = this.#queue.pop(); name !== undefined; name = this.#queue.pop()) {
      if (made.has(name)) continue;
      const struct = this.#structs.get(name);
      if (name === names.RESOURCE_LIST) refer(names.RESOURCE, undefined);
      made.set(name, struct ? this.#structSchema(struct, { refer, groupVersions }) : this.#fixed(name));
    }
    return fromEntries([...made].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #fixed(name: string): JsonObject {
    return fixedSchema(name, this.#version) ?? object({});
  }

  /** Custom resources all refer to the same few. */
  #structSchema(struct: StructType, { refer, groupVersions }: Pick<SchemaSink, "refer" | "groupVersions">): JsonObject {
    const version = this.#version;
    const enumOf = this.#enumOf;
    if (groupVersions.length > 0) return structSchema(struct, { refer, version, enumOf, groupVersions });
    let common = COMMON[version].get(struct);
    if (common === undefined) {
      const references: Parameters<SchemaSink["refer"]>[] = [];
      const note: SchemaSink["refer"] = (...reference) => void references.push(reference);
      common = { schema: structSchema(struct, { refer: note, version, groupVersions }), references };
      COMMON[version].set(struct, common);
    }
    for (const reference of common.references) refer(...reference);
    return common.schema;
  }

  #addCustom(resource: PublishedResource, made: Map<string, JsonObject>): void {
    if (!isCustom(resource)) return;
    const { group, version, kind, listKind } = resource;
    made.set(names.customName({ group, version, kind }), kindSchema(resource, this.#version));
    made.set(names.customName({ group, version, kind: listKind }), listSchema(resource, this.#version));
    for (const name of [names.OBJECT_META, names.LIST_META]) {
      const holder = structOfKind("", "v1", name === names.OBJECT_META ? "ConfigMap" : "ConfigMapList");
      this.#structs.set(name, metadataOf(holder));
      this.need(name);
    }
  }
}

function isCustom(resource: PublishedResource): resource is PublishedResource & { readonly custom: CustomSchema } {
  return resource.custom !== undefined;
}

/** ObjectMeta and ListMeta are no kinds, but every kind has one. */
function metadataOf(struct: StructType | undefined): StructType | undefined {
  const type = struct?.members.get("metadata")?.type;
  return type?.kind === "struct" ? structAt(type.index) : undefined;
}
