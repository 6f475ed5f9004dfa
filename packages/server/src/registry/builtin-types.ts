/**
 * The built-in kinds as resources that the server serves. What is special about a kind is the engine's business; here
 * its functions are put behind the server's seams: decoding, writing, subresources, tables, selectors, ownership.
 */

import { type BuiltinResource, builtinResources } from "@portcullis/engine/builtin/builtin";
import type { PrepareContext } from "@portcullis/engine/builtin/strategies/strategy";
import type { FieldError } from "@portcullis/engine/field/error";
import { newPath } from "@portcullis/engine/field/path";
import { validateMetaUpdate } from "@portcullis/engine/schema/object-meta";
import type { JsonObject } from "@portcullis/engine/value/json";
import { builtinColumns } from "../endpoints/columns.ts";
import { builtInStrategy, type KindRules, type StrategyFlags, sameKindSubresource } from "./built-in.ts";
import { builtinScale } from "./builtin-scale.ts";
import { builtinFieldScope } from "./builtin-scope.ts";
import * as messages from "./messages.ts";
import { metaOf } from "./meta.ts";
import { type ResourceType, type Subresource, typedDecoder, type WriteContext } from "./resource-type.ts";
import type { ServiceAddresses } from "./service-addresses.ts";

export interface BuiltinTypeOptions {
  readonly addresses?: ServiceAddresses;
  /** What a kind demands beyond the engine's rules for it. */
  readonly rules?: Partial<KindRules>;
  readonly flags?: StrategyFlags;
  readonly validateStatus?: (object: JsonObject, old: JsonObject) => readonly FieldError[];
  /** Subresources of the same kind whose writes follow rules of their own, by name. */
  readonly doors?: Readonly<Record<string, Pick<KindRules, "prepareUpdate" | "validateUpdate">>>;
}

export const BUILTIN_PATCH_TYPES = [
  "application/json-patch+json",
  "application/merge-patch+json",
  "application/strategic-merge-patch+json",
  "application/apply-patch+yaml",
];

/** Kinds that have a file of their own. */
const ELSEWHERE: ReadonlySet<string> = new Set(["/v1/namespaces", "apiextensions.k8s.io/v1/customresourcedefinitions"]);

/** All that can be stored. */
export function builtinTypes(options: (resource: BuiltinResource) => BuiltinTypeOptions): ResourceType[] {
  return builtinResources()
    .filter(
      ({ group, version, plural, verbs }) => verbs.includes("watch") && !ELSEWHERE.has(`${group}/${version}/${plural}`),
    )
    .map((resource) => builtinType(resource, options(resource)));
}

export function builtinType(resource: BuiltinResource, options: BuiltinTypeOptions = {}): ResourceType {
  const { group, version, kind, plural } = resource;
  const rules: KindRules = { ...builtinRules(resource, options.addresses), ...options.rules };
  const strategy = builtInStrategy({ group, version, kind }, rules, {
    allowsUnconditionalUpdate: resource.unconditionalUpdate,
    allowsCreateOnUpdate: resource.createOnUpdate,
    returnsDeletedObject: resource.returnsDeletedObject,
    decodeTyped: typedDecoder(resource),
    ...options.flags,
  });
  return {
    group,
    version,
    kind,
    listKind: `${kind}List`,
    plural,
    singular: resource.singular,
    shortNames: resource.shortNames,
    categories: resource.categories,
    namespaced: resource.namespaced,
    verbs: resource.verbs,
    storagePrefix: storagePrefix(group, plural),
    isCustom: false,
    itemsNameKind: false,
    patchTypes: BUILTIN_PATCH_TYPES,
    // Kinds with several versions, or several groups, are stored in one form.
    strategy: {
      ...strategy,
      read: (stored) => resource.decodeFields(resource.fromHub(stored)).value,
      write: (object) => resource.toHub(strategy.write(object)),
    },
    subresources: subresourcesOf(resource, rules, options),
    columns: builtinColumns(resource.tableColumns),
    fields: resource.fieldSelectors,
    warning: resource.deprecationWarning,
    fieldScope: (subresource) => builtinFieldScope(resource, subresource),
  };
}

function builtinRules(resource: BuiltinResource, addresses: ServiceAddresses | undefined): KindRules {
  const { namespaced, checkName } = resource;
  return {
    namespaced,
    checkName,
    statusGroup: resource.statusGroup,
    scheme: messages.BUILTIN_SCHEME,
    decode: (json, options) => resource.decodeFields(json, options),
    shape: resource.shape,
    encode: resource.encode,
    prepareCreate: (object, context) => resource.prepareCreate(object, prepareContext(context, addresses)),
    prepareUpdate: (object, old, context) => resource.prepareUpdate(object, old, prepareContext(context, addresses)),
    validateCreate: (object, warn) =>
      judge(resource.validateCreate(object), () => resource.warningsOnCreate(object), warn),
    validateUpdate: (object, old, warn) =>
      judge(resource.validateUpdate(object, old), () => resource.warningsOnUpdate(object, old), warn),
  };
}

/** Warnings are for objects that are accepted. */
function judge(
  errors: readonly FieldError[],
  warningsOf: () => readonly string[],
  warn: (text: string) => void,
): readonly FieldError[] {
  if (errors.length === 0) for (const text of warningsOf()) warn(text);
  return errors;
}

/** The rules of each kind judge the change of metadata although it has been judged before: causes are told twice. */
export function judgeMetaAgain(object: JsonObject, old: JsonObject): FieldError[] {
  return validateMetaUpdate(metaOf(object), metaOf(old), newPath("metadata"));
}

function prepareContext({ system, warn }: WriteContext, addresses: ServiceAddresses | undefined): PrepareContext {
  return {
    now: system.now,
    warn,
    clusterIp: () => addresses?.nextClusterIp() ?? "",
    nodePort: () => addresses?.nextNodePort() ?? 0,
  };
}

function subresourcesOf(
  resource: BuiltinResource,
  rules: KindRules,
  options: BuiltinTypeOptions,
): ReadonlyMap<string, Subresource> {
  const all = new Map<string, Subresource>();
  for (const { name } of resource.subresources) {
    const door = options.doors?.[name];
    if (door !== undefined) all.set(name, sameKind(name, resource, { ...rules, ...door }));
    else if (name === "status") all.set(name, statusSubresource(resource, rules, options));
    if (name === "scale") all.set(name, builtinScale(resource, rules));
  }
  return all;
}

function statusSubresource(
  resource: BuiltinResource,
  rules: KindRules,
  { validateStatus }: BuiltinTypeOptions,
): Subresource {
  const statusRules: KindRules = {
    ...rules,
    prepareUpdate: (object, old, context) =>
      resource.prepareStatusUpdate(object, old, prepareContext(context, undefined)),
    validateUpdate: (object, old, warn) =>
      judge(
        [...resource.validateStatusUpdate(object, old), ...(validateStatus?.(object, old) ?? [])],
        () => resource.warningsOnStatusUpdate(object),
        warn,
      ),
  };
  return sameKind("status", resource, statusRules);
}

function sameKind(name: string, resource: BuiltinResource, rules: KindRules): Subresource {
  const { group, version, kind } = resource;
  const plain = sameKindSubresource(name, { group, version, kind }, rules);
  return { ...plain, decodeTyped: typedDecoder(resource) };
}

/** Where upstream keeps kinds whose names have changed since, or whose keys name their group. */
const PREFIXES: Readonly<Record<string, string>> = {
  "/services": "services/specs",
  "/endpoints": "services/endpoints",
  "/nodes": "minions",
  "/replicationcontrollers": "controllers",
  "networking.k8s.io/ingresses": "ingress",
  "apiregistration.k8s.io/apiservices": "apiregistration.k8s.io/apiservices",
};

function storagePrefix(group: string, plural: string): string {
  return `/registry/${PREFIXES[`${group}/${plural}`] ?? plural}/`;
}
