/** The built-in kinds as the review sees them: their functions, subresources, columns, selectors and ownership. */

import { type BuiltinResource, builtinResources } from "../../builtin/builtin.ts";
import { schemeOf } from "../../builtin/messages.ts";
import { storedAs } from "../../builtin/storage-versions.ts";
import type { ServiceNetwork } from "../../builtin/strategies/service-network.ts";
import type { FieldError } from "../../field/error.ts";
import { newPath } from "../../field/path.ts";
import { validateMetaUpdate } from "../../schema/object-meta.ts";
import type { JsonObject } from "../../value/json.ts";
import { metaOf } from "../../value/metadata.ts";
import { type ResourceKind, type Subresource, typedDecoder } from "../kind.ts";
import { builtinFieldScope } from "./built-in-owners.ts";
import { builtinScale } from "./built-in-scale.ts";
import { builtInStrategy, type KindRules, type StrategyFlags, sameKindSubresource } from "./built-in-strategy.ts";
import { podGracePeriod } from "./pod-grace.ts";
import { quickCreate } from "./quick-create.ts";
import { prepareContext, type ServiceAddressAllocator } from "./service-addresses.ts";

export interface BuiltInKindOptions {
  readonly addresses?: ServiceAddressAllocator | undefined;
  /** Rules in place of the kind's own. */
  readonly rules?: Partial<KindRules>;
  readonly flags?: StrategyFlags;
  readonly validateStatus?: (object: JsonObject, old: JsonObject) => readonly FieldError[];
  /** Subresources of the same kind whose writes follow rules of their own, by name. */
  readonly subresources?: Readonly<Record<string, Pick<KindRules, "prepareUpdate" | "validateUpdate">>>;
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
export function builtInKinds(options: (resource: BuiltinResource) => BuiltInKindOptions): ResourceKind[] {
  return builtinResources()
    .filter(
      ({ group, version, plural, verbs }) => verbs.includes("watch") && !ELSEWHERE.has(`${group}/${version}/${plural}`),
    )
    .map((resource) => builtInKind(resource, options(resource)));
}

export function builtInKind(resource: BuiltinResource, options: BuiltInKindOptions = {}): ResourceKind {
  const { group, version, kind, plural } = resource;
  const rules: KindRules = { ...builtinRules(resource, options.addresses), ...options.rules };
  const strategy = builtInStrategy({ group, version, kind }, rules, {
    allowsUnconditionalUpdate: resource.unconditionalUpdate,
    allowsCreateOnUpdate: resource.createOnUpdate,
    returnsDeletedObject: resource.returnsDeletedObject,
    dependentsPolicy: resource.dependentsPolicy,
    ...(group === "" && plural === "pods" && { gracePeriod: podGracePeriod }),
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
    storagePrefix: resource.storagePrefix,
    storedAs: storedAs(resource.hub),
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
    columns: { source: "built-in", columns: resource.tableColumns },
    fields: resource.fieldSelectors,
    warning: resource.deprecationWarning,
    fieldScope: (subresource) => builtinFieldScope(resource, subresource),
    ...(options.rules === undefined &&
      resource.deprecationWarning === undefined && { passesCreate: quickCreate(resource, options.addresses) }),
    ...(group === "" && plural === "services" && reservation(options.addresses)),
  };
}

function reservation(addresses: ServiceAddressAllocator | undefined): Pick<ResourceKind, "reserve"> {
  return { reserve: async (write) => (await addresses?.reserve?.(write)) ?? { release: async () => {} } };
}

function builtinRules(resource: BuiltinResource, addresses: ServiceAddressAllocator | undefined): KindRules {
  const { namespaced, checkName } = resource;
  return {
    namespaced,
    checkName,
    statusGroup: resource.statusGroup,
    scheme: schemeOf(resource.group),
    decode: (json, options) => resource.decodeFields(json, options),
    shape: resource.shape,
    encode: resource.encode,
    prepareCreate: (object, context) => resource.prepareCreate(object, prepareContext(context, addresses)),
    prepareUpdate: (object, old, context) => resource.prepareUpdate(object, old, prepareContext(context, addresses)),
    validateCreate: (object, warn, isDryRun) =>
      withWarnings(
        resource.validateCreate(object, networkOf(addresses, isDryRun)),
        () => resource.warningsOnCreate(object),
        warn,
      ),
    validateFirst: (object, old, isDryRun) => resource.validateFirst(object, old, networkOf(addresses, isDryRun)),
    validateUpdate: (object, old, warn, isDryRun) =>
      withWarnings(
        resource.validateUpdate(object, old, networkOf(addresses, isDryRun)),
        () => resource.warningsOnUpdate(object, old),
        warn,
      ),
  };
}

/** A dry run accepts any node port. */
function networkOf(addresses: ServiceAddressAllocator | undefined, isDryRun = false): ServiceNetwork | undefined {
  const network = addresses?.network;
  return network !== undefined && isDryRun ? { ...network, nodePorts: undefined } : network;
}

/** Warnings are for objects that are accepted. */
function withWarnings(
  errors: readonly FieldError[],
  warningsOf: () => readonly string[],
  warn: (text: string) => void,
): readonly FieldError[] {
  if (errors.length === 0) for (const text of warningsOf()) warn(text);
  return errors;
}

/** The rules of each kind validate the change of metadata a second time: its causes appear twice. */
export function validateMetaAgain(object: JsonObject, old: JsonObject): FieldError[] {
  return validateMetaUpdate(metaOf(object), metaOf(old), newPath("metadata"));
}

function subresourcesOf(
  resource: BuiltinResource,
  rules: KindRules,
  options: BuiltInKindOptions,
): ReadonlyMap<string, Subresource> {
  const all = new Map<string, Subresource>();
  for (const { name } of resource.subresources) {
    const own = options.subresources?.[name];
    if (own !== undefined) all.set(name, sameKind(name, resource, { ...rules, ...own }));
    else if (name === "status") all.set(name, statusSubresource(resource, rules, options));
    if (name === "scale") all.set(name, builtinScale(resource, rules));
  }
  return all;
}

function statusSubresource(
  resource: BuiltinResource,
  rules: KindRules,
  { validateStatus }: BuiltInKindOptions,
): Subresource {
  const statusRules: KindRules = {
    ...rules,
    prepareUpdate: (object, old, context) =>
      resource.prepareStatusUpdate(object, old, prepareContext(context, undefined)),
    validateUpdate: (object, old, warn) =>
      withWarnings(
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
