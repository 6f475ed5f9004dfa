/**
 * The kinds that a CustomResourceDefinition defines, one for each served version.
 *
 * Compiling schemas and rules waits until a version is asked for. Objects are stored in the storage version; another
 * version sees them with its own apiVersion, or as a webhook converts them, pruned by its own schema.
 */

import { unknownFieldUnescaped } from "../../codec/messages.ts";
import type { CustomResourceDefinition, DefinitionVersion } from "../../crd/definition.ts";
import { compareVersions } from "../../crd/version-order.ts";
import { makePath, type Path } from "../../fieldset/path.ts";
import { CompareTimer } from "../../schema/correlate.ts";
import { isObject, type JsonObject } from "../../value/json.ts";
import { metaOf, metaText, textOf, withMeta } from "../../value/metadata.ts";
import { coerceResource, decodeResource, staysSame } from "../custom-resource/coerce.ts";
import { completeCreate, createsQuietly } from "../custom-resource/create.ts";
import type { CustomResource } from "../custom-resource/custom-resource.ts";
import type { WriteRequest } from "../custom-resource/request.ts";
import { completeStatusUpdate, completeUpdate } from "../custom-resource/update.ts";
import type {
  Body,
  DecodeOptions,
  Draft,
  GroupVersionKind,
  ResourceKind,
  Strategy,
  Subresource,
  WriteContext,
} from "../kind.ts";
import * as messages from "../messages.ts";
import type { SystemFields } from "../system.ts";
import { kindMissing, readTypeMeta } from "../type-meta.ts";
import { CompiledVersions, type CustomKindOptions } from "./compiled-versions.ts";
import { convertingBy, convertTo, readStored } from "./convert-versions.ts";
import { type ScaleOwnership, scaleSubresource } from "./scale.ts";
import { customFields } from "./selectable-fields.ts";
import { kindOfServer } from "./server-kind.ts";

const VERBS = ["delete", "deletecollection", "get", "list", "patch", "create", "update", "watch"];
const PATCH_TYPES = ["application/json-patch+json", "application/merge-patch+json", "application/apply-patch+yaml"];

export interface CustomKinds {
  readonly served: readonly ResourceKind[];
  /** Of the version that objects are stored in, served or not: reading through it converts least. */
  readonly stored: ResourceKind | undefined;
}

export function customResourceKinds(definition: CustomResourceDefinition, options: CustomKindOptions): CustomKinds {
  const compiled = new CompiledVersions(definition, options);
  const allVersions = (): readonly ResourceKind[] => types.map(({ type }) => type);
  const types = definition.versions.map((version) => {
    const kind = { ...customResourceKind(definition, version, compiled, options), allVersions };
    return { version, type: kindOfServer(kind, options.engine) };
  });
  return {
    served: types.filter(({ version }) => version.served).map(({ type }) => type),
    stored: types.find(({ version }) => version.storage)?.type,
  };
}

/** Discovery leaves them out while the CRD is terminating. */
const WRITE_VERBS: ReadonlySet<string> = new Set(["create", "patch", "update"]);

function customResourceKind(
  definition: CustomResourceDefinition,
  version: DefinitionVersion,
  compiled: CompiledVersions,
  { isTerminating = false, engine }: CustomKindOptions,
): ResourceKind {
  const { group, names } = definition;
  const strategy = customStrategy(compiled, version.name);
  return {
    group,
    version: version.name,
    kind: names.kind,
    listKind: names.listKind,
    plural: names.plural,
    singular: names.singular,
    shortNames: names.shortNames,
    categories: names.categories,
    namespaced: definition.scope === "Namespaced",
    verbs: VERBS,
    shownVerbs: isTerminating ? VERBS.filter((verb) => !WRITE_VERBS.has(verb)) : undefined,
    storagePrefix: `/registry/${group}/${names.plural}/`,
    storedAs: storedVersion(definition),
    isCustom: true,
    itemsNameKind: true,
    patchTypes: PATCH_TYPES,
    strategy,
    subresources: subresourcesOf(version, strategy, compiled),
    columns: { source: "custom", columns: version.columns },
    fields: customFields(version.selectableFields),
    warning: deprecation(definition, version),
    fieldScope: (subresource) => compiled.fieldScope(version.name, subresource),
    ...(deprecation(definition, version) === undefined && {
      passesCreate: (manifest: JsonObject, namespace: string, system: SystemFields) =>
        passesCreate(manifest, compiled.need(version.name), { namespace, system }),
    }),
    prune: (manifest) => {
      const coerced = coerceResource(manifest, compiled.need(version.name));
      return coerced.error === undefined ? coerced.object : undefined;
    },
    ruleTree: () => compiled.need(version.name).rules,
    customSchema: {
      revision: `${metaText(definition.json, "uid")}/${metaOf(definition.json)["generation"] ?? 0}`,
      get schema() {
        return compiled.schemaOf(version.name);
      },
      preserveUnknownFields: definition.preserveUnknownFields,
      selectableFields: version.selectableFields,
      propertyNames: engine.gates.CRDPropertyNameSchemas,
    },
    createRefusal: isTerminating ? messages.terminatingDefinition() : undefined,
  };
}

function storedVersion({ group, names, versions }: CustomResourceDefinition): GroupVersionKind | null {
  const stored = versions.find(({ storage }) => storage);
  return stored?.served === true ? { group, version: stored.name, kind: names.kind } : null;
}

function customStrategy(compiled: CompiledVersions, version: string): Strategy {
  return {
    decode: (body, options) => decodeCustom(body, compiled, version, options),
    create: (draft, context) => completeCreate(draft, requestOf(compiled.need(version), context)).object,
    update: (draft, old, context) =>
      timed(requestOf(compiled.need(version), context), context, (request) => completeUpdate(draft, old, request))
        .object,
    assumeStored: (draft, context) => assumeStored(draft, compiled.need(version), context),
    read: (stored) => readStored(stored, compiled, version),
    write: (object) => convertTo(object, compiled, compiled.storageVersion),
    staysSame: (object) =>
      compiled.converter === undefined &&
      version === compiled.storageVersion &&
      staysSame(object, compiled.need(version)),
    converting: compiled.converter && convertingBy(compiled.converter, compiled, version),
    allowsUnconditionalUpdate: false,
    allowsCreateOnUpdate: false,
    returnsDeletedObject: false,
  };
}

/** The short cut of `ResourceKind.passesCreate`: the same steps, without what only errors and warnings need. */
function passesCreate(
  manifest: JsonObject,
  resource: CustomResource,
  { namespace, system }: Pick<WriteContext, "namespace" | "system">,
): boolean {
  const { metadata } = manifest;
  if (!isObject(metadata) || UNUSUAL.some((field) => metadata[field] !== undefined)) return false;
  const decoded = decodeResource(manifest, resource, { trackUnknown: true });
  if (decoded.error !== undefined || decoded.unknown.length > 0) return false;
  return createsQuietly(decoded.object, { resource, namespace, system });
}

/** Fields with warnings or rules of their own, and those that only the server sets. */
const UNUSUAL = ["finalizers", "generateName", "managedFields", "ownerReferences", "selfLink", "deletionTimestamp"];

/** Manifests lack what the server sets: the uid, the times and the generation. */
function assumeStored(draft: JsonObject, { namespaced }: CustomResource, context: WriteContext): JsonObject {
  const { system, namespace } = context;
  const meta = metaOf(draft);
  return withMeta(draft, {
    uid: meta["uid"] ?? system.uid(),
    creationTimestamp: meta["creationTimestamp"] ?? system.now(),
    generation: meta["generation"] ?? 1,
    namespace: namespaced ? (meta["namespace"] ?? namespace) : undefined,
  });
}

function requestOf(resource: CustomResource, context: WriteContext): WriteRequest {
  const { namespace, fieldValidation, system, warn, refuse, isAssumedValid, onRatcheting } = context;
  return { resource, namespace, fieldValidation, system, warn, refuse, isAssumedValid, onRatcheting };
}

/** Measures how long old and new were compared. */
function timed<T>(request: WriteRequest, { metrics }: WriteContext, update: (request: WriteRequest) => T): T {
  if (metrics === undefined || !request.resource.gates.CRDValidationRatcheting) return update(request);
  const timer = new CompareTimer(metrics.clock);
  try {
    return update({ ...request, timer });
  } finally {
    metrics.ratcheting(timer.seconds);
  }
}

function decodeCustom(body: Body, compiled: CompiledVersions, version: string, { trackUnknown }: DecodeOptions): Draft {
  const meta = readTypeMeta(body);
  if (meta.error !== undefined) return meta;
  if (!isObject(body.value) || textOf(body.value["kind"]) === "") return { error: kindMissing(body.text()) };
  const resource = versionClaimed(textOf(body.value["apiVersion"]), compiled, version);
  const decoded = decodeResource(body.value, resource, { trackUnknown, outline: body.outline });
  if (decoded.error !== undefined) return { error: decoded.error, claim: meta };
  // Decoded twice: once for duplicates, once for unknown fields.
  const findings = trackUnknown ? [...body.strictErrors, ...decoded.unknown.map(unknownFieldUnescaped)] : [];
  return { object: decoded.object, findings };
}

/** Until its version is found to be wrong, a body is read by the schema of the version it names, or by none. */
function versionClaimed(apiVersion: string, compiled: CompiledVersions, version: string): CustomResource {
  const resource = compiled.need(version);
  const claimed = apiVersion.slice(apiVersion.indexOf("/") + 1);
  return claimed === version ? resource : (compiled.get(claimed) ?? { ...resource, schema: undefined });
}

function subresourcesOf(
  version: DefinitionVersion,
  strategy: Strategy,
  compiled: CompiledVersions,
): ReadonlyMap<string, Subresource> {
  const all = new Map<string, Subresource>();
  const { subresources } = version;
  if (subresources?.status === true) all.set("status", statusSubresource(version, strategy, compiled));
  if (subresources?.scale !== undefined)
    all.set("scale", scaleSubresource(subresources.scale, strategy, scaleOwnership(version, compiled.definition)));
  return all;
}

function scaleOwnership({ name }: DefinitionVersion, { group, versions }: CustomResourceDefinition): ScaleOwnership {
  const pathOf = ({ subresources }: DefinitionVersion): Path | undefined =>
    subresources?.scale && makePath(...subresources.scale.specReplicasPath.replace(/^\./, "").split("."));
  return {
    paths: new Map(versions.map((version) => [`${group}/${version.name}`, pathOf(version)])),
    apiVersion: `${group}/${name}`,
  };
}

function statusSubresource(version: DefinitionVersion, strategy: Strategy, compiled: CompiledVersions): Subresource {
  const { group, names } = compiled.definition;
  return {
    name: "status",
    kind: { group, version: version.name, kind: names.kind },
    verbs: ["get", "patch", "update"],
    view: (parent) => parent,
    decode: (body, options) => strategy.decode(body, options),
    toParent: (draft) => draft,
    update: (draft, parent, context) =>
      timed(requestOf(compiled.need(version.name), context), context, (request) =>
        completeStatusUpdate(draft, parent, request),
      ).object,
  };
}

function deprecation(definition: CustomResourceDefinition, version: DefinitionVersion): string | undefined {
  if (!version.deprecated) return undefined;
  if (version.deprecationWarning !== undefined) return version.deprecationWarning;
  const { group, names, versions } = definition;
  const [better] = versions
    .filter((each) => each.served && !each.deprecated && compareVersions(each.name, version.name) < 0)
    .map(({ name }) => name)
    .sort(compareVersions);
  const message = `${group}/${version.name} ${names.kind} is deprecated`;
  return better === undefined ? message : `${message}; use ${group}/${better} ${names.kind}`;
}
