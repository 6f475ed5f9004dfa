/** The kind CustomResourceDefinition: how one is decoded, prepared, validated and deleted. */
import { type BuiltinResource, builtinResource } from "../../builtin/builtin.ts";
import { CRD_COLUMNS } from "../../builtin/columns/crd.ts";
import { unknownConversion } from "../../builtin/messages.ts";
import { DEFAULT_FIELDS } from "../../builtin/selectors.ts";
import { carryPropertyNames } from "../../crd/carry-property-names.ts";
import { setCondition } from "../../crd/conditions.ts";
import { decodeDefinition, encodeDefinition } from "../../crd/decode.ts";
import { prepareForCreate, prepareForUpdate, prepareStatusUpdate } from "../../crd/prepare.ts";
import { definitionShape, definitionShapeWithoutKeys } from "../../crd/shape.ts";
import { type DefinitionOptions, validateDefinition, validateDefinitionStatus } from "../../crd/validate/validate.ts";
import { isObject, type JsonObject, newObject } from "../../value/json.ts";
import { finalizersOf, metaText, objectOf, withMeta } from "../../value/metadata.ts";
import { withMember } from "../../value/rewrite.ts";
import { minorOf } from "../../value/server-version.ts";
import { apiVersionOf, type GroupVersionKind, type ResourceKind, type Strategy, type WriteContext } from "../kind.ts";
import * as messages from "../messages.ts";
import { BUILTIN_PATCH_TYPES } from "./built-in.ts";
import { builtinFieldScope, type OwnedKind } from "./built-in-owners.ts";
import { builtInStrategy, type KindRules, sameKindSubresource } from "./built-in-strategy.ts";

const gvk: GroupVersionKind = {
  group: "apiextensions.k8s.io",
  version: "v1",
  kind: "CustomResourceDefinition",
};

export const CLEANUP_FINALIZER = "customresourcecleanup.apiextensions.k8s.io";
export const CRD_PREFIX = "/registry/apiextensions.k8s.io/customresourcedefinitions/";

const CRD_COLUMNS_SINCE = 37;

export function crdKind(options: DefinitionOptions): ResourceKind {
  const rules = crdRules(options);
  return {
    ...gvk,
    listKind: "CustomResourceDefinitionList",
    plural: "customresourcedefinitions",
    singular: "customresourcedefinition",
    shortNames: ["crd", "crds"],
    categories: ["api-extensions"],
    namespaced: false,
    verbs: ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
    storagePrefix: CRD_PREFIX,
    storedAs: { ...gvk, version: "v1beta1" },
    isCustom: false,
    itemsNameKind: false,
    patchTypes: BUILTIN_PATCH_TYPES,
    strategy: crdStrategy(rules, options),
    subresources: new Map([["status", sameKindSubresource("status", gvk, statusRules(rules))]]),
    columns: { source: "built-in", columns: minorOf(options.version) >= CRD_COLUMNS_SINCE ? CRD_COLUMNS : undefined },
    fields: DEFAULT_FIELDS,
    warning: undefined,
    fieldScope: (subresource) => builtinFieldScope(owned, subresource),
  };
}

function crdStrategy(rules: KindRules, options: DefinitionOptions): Strategy {
  const strategy = builtInStrategy(gvk, rules, { allowsUnconditionalUpdate: false, beginDelete });
  return {
    ...strategy,
    carryOver: options.gates.CRDPropertyNameSchemas ? undefined : carryPropertyNames,
    assumeStored: (draft, context) => withEstablished(strategy.assumeStored(draft, context), context),
  };
}

/** A CRD that is in the cluster was accepted once, and its names are established. */
function withEstablished(crd: JsonObject, { system }: WriteContext): JsonObject {
  const status = isObject(crd["status"]) ? crd["status"] : newObject();
  return withMember(
    crd,
    "status",
    setCondition(status, objectOf({ type: "Established", status: "True" }), system.now()),
  );
}

/** As ownership sees it. */
const owned: OwnedKind = {
  ...gvk,
  resetFields: (subresource) => definitionResource().resetFields(subresource),
  decodeFields: decodeDefinition,
};

function definitionResource(): BuiltinResource {
  const resource = builtinResource(gvk.group, gvk.version, "customresourcedefinitions");
  if (resource === undefined) throw new Error("no built-in kind CustomResourceDefinition");
  return resource;
}

const SCHEME = "k8s.io/apiextensions-apiserver/pkg/apiserver/apiserver.go:55";
/** Upstream can still read the older version, but a patched CRD is never valid in it. */
const VERSIONS: ReadonlySet<string> = new Set(["apiextensions.k8s.io/v1", "apiextensions.k8s.io/v1beta1"]);
/** What every group knows, and what has no group. */
const OPTIONS = ["CreateOptions", "DeleteOptions", "GetOptions", "ListOptions", "PatchOptions", "UpdateOptions"];
const OF_GROUP: ReadonlySet<string> = new Set(["CustomResourceDefinitionList", "WatchEvent", ...OPTIONS]);
const UNVERSIONED: ReadonlySet<string> = new Set([
  ...["APIGroup", "APIGroupList", "APIResourceList", "APIVersions", "Status"],
]);

/** The kinds that the part of upstream which serves definitions has types for cannot be made one; others are unknown. */
function refuseOtherKind(kind: string, apiVersion: string, isPatched: boolean): string | undefined {
  const isOurs = isPatched ? apiVersion === apiVersionOf(gvk) : VERSIONS.has(apiVersion);
  if (isOurs && kind === gvk.kind) return undefined;
  const isTyped = (isOurs && OF_GROUP.has(kind)) || (apiVersion === "v1" && UNVERSIONED.has(kind));
  return isTyped
    ? unknownConversion(`${apiVersion.split("/").at(-1)}.${kind}`, "apiextensions.CustomResourceDefinition")
    : messages.unknownKind(kind, apiVersion, SCHEME);
}

function crdRules(options: DefinitionOptions): KindRules {
  const propertyNames = options.gates.CRDPropertyNameSchemas;
  const validate = (object: JsonObject, old: JsonObject | undefined, warn: (text: string) => void) => {
    const { errors, warnings } = validateDefinition(object, old, options);
    if (errors.length === 0) warnings.forEach(warn);
    return errors;
  };
  return {
    namespaced: false,
    refuseOtherKind,
    decode: (json, how) => decodeDefinition(json, { ...how, propertyNames }),
    shape: propertyNames ? definitionShape : definitionShapeWithoutKeys,
    encode: encodeDefinition,
    prepareCreate: (object) => prepareForCreate(object, options.gates),
    prepareUpdate: (object, old) => prepareForUpdate(object, old, options.gates),
    validateCreate: (object, warn) => validate(object, undefined, warn),
    validateUpdate: validate,
  };
}

function statusRules(rules: KindRules): KindRules {
  return {
    ...rules,
    prepareUpdate: prepareStatusUpdate,
    validateUpdate: validateDefinitionStatus,
  };
}

/** The first request only marks it: instances have to go before. */
function beginDelete(object: JsonObject, now: string): JsonObject | undefined {
  if (metaText(object, "deletionTimestamp") !== "") return undefined;
  const finalizers = finalizersOf(object);
  const marked = withMeta(object, {
    deletionTimestamp: now,
    finalizers: finalizers.includes(CLEANUP_FINALIZER) ? finalizers : [...finalizers, CLEANUP_FINALIZER],
  });
  const pending = objectOf({
    type: "Terminating",
    status: "True",
    reason: "InstanceDeletionPending",
    message: "CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon",
  });
  const status = isObject(marked["status"]) ? marked["status"] : newObject();
  return withMember(marked, "status", setCondition(status, pending, now));
}
