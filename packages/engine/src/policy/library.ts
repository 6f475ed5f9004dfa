/**
 * Policies put to a request in one call: manifests in, the verdict out, nothing else touched.
 *
 * Manifests are plain data of any version of their kind; they are decoded and defaulted here. The objects of the
 * request are used as they are: a caller that wants defaults applies them first, as an API server does.
 */

import type { Authorizer, UserInfo } from "../kubecel/library/authz.ts";
import type { KubernetesVersion } from "../kubecel/versions.ts";
import { fromPlain } from "../value/copy.ts";
import { isObject, type JsonObject } from "../value/json.ts";
import { objectOf, textOf } from "../value/read.ts";
import {
  type AdmissionAttributes,
  type EquivalentResources,
  type GroupVersionKind,
  type GroupVersionResource,
  type Operation,
  parseGroupVersion,
} from "./attributes.ts";
import { evaluatePolicies, type PolicyContext } from "./dispatch.ts";
import { type ManifestParamOptions, namespacesFrom, paramsFrom, policySetFrom } from "./manifests.ts";
import { reportVerdict, type VerdictReport } from "./report.ts";

/** What policies are evaluated with, as manifests. */
export interface PolicyEvaluatorOptions {
  readonly policies: readonly object[];
  readonly bindings: readonly object[];
  /** Objects that bindings refer to. */
  readonly params?: readonly object[];
  /** Other namespaces exist too; their only label is their name. */
  readonly namespaces?: readonly object[];
  /** Decides the checks of `authorizer`; without it nothing is allowed. */
  readonly authorizer?: Authorizer;
  /** Where the same objects are served in several versions, for `matchPolicy: Equivalent`. */
  readonly equivalents?: EquivalentResources;
  /** Whether a kind of params is namespaced, for kinds outside the core group that no CRD or object describes. */
  readonly isNamespaced?: ManifestParamOptions["isNamespaced"];
  /** The Kubernetes version whose CEL is available to expressions; the newest by default. */
  readonly version?: KubernetesVersion;
  /** Record every failure with action Audit instead of the first only, as later versions do. */
  readonly auditAllFailures?: boolean;
}

/** A request for `evaluate` and `mutate`. Only the object, or the old object, is required. */
export interface PolicyRequest {
  /** Derived from the objects if absent. */
  readonly operation?: Operation;
  readonly resource: GroupVersionResource;
  readonly subresource?: string;
  /** That of the object where absent. */
  readonly kind?: GroupVersionKind;
  readonly name?: string;
  readonly namespace?: string;
  readonly object?: object | undefined;
  readonly oldObject?: object | undefined;
  /** CreateOptions and the like. */
  readonly options?: object;
  readonly dryRun?: boolean;
  /** An unnamed user if absent. */
  readonly user?: PolicyUser;
}

/** The user of a request. */
export interface PolicyUser {
  readonly name: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/**
 * The verdict on one request. For many requests, `policyEvaluator` compiles the policies once.
 * @example
 * const { allowed } = evaluate({ policies: [policy], bindings: [binding], request });
 * allowed; // false
 */
export function evaluate({
  request,
  ...options
}: PolicyEvaluatorOptions & { readonly request: PolicyRequest }): VerdictReport {
  return policyEvaluator(options)(request);
}

/**
 * Compiles validating policies once, for many requests.
 * @example
 * const evaluateRequest = policyEvaluator({ policies: [policy], bindings: [binding] });
 * evaluateRequest(request).allowed; // false
 */
export function policyEvaluator(options: PolicyEvaluatorOptions): (request: PolicyRequest) => VerdictReport {
  const set = policySetFrom([...dataOf(options.policies), ...dataOf(options.bindings)]);
  const context = contextOf(options);
  return (request) => reportVerdict(evaluatePolicies(set, attributesOf(request), context));
}

/** What policies may ask for, from manifests. */
export function contextOf(options: PolicyEvaluatorOptions): PolicyContext {
  const { equivalents, version, auditAllFailures, isNamespaced } = options;
  return {
    params: paramsFrom(dataOf(options.params ?? []), {
      isNamespaced: (kind) => isNamespaced?.(kind) ?? coreScope(kind),
    }),
    namespace: namespacesFrom(dataOf(options.namespaces ?? [])),
    authorizer: options.authorizer ?? NOBODY,
    equivalents,
    version,
    auditAllFailures,
    explain: true,
  };
}

const CLUSTER_SCOPED = new Set(["ComponentStatus", "Namespace", "Node", "PersistentVolume"]);

/** Whether a kind of the core group, where most params are from, is namespaced. */
function coreScope({ group, version, kind }: GroupVersionKind): boolean | undefined {
  return group === "" && version === "v1" ? !CLUSTER_SCOPED.has(kind) : undefined;
}

const NOBODY: Authorizer = { authorize: () => ({ decision: "noOpinion", reason: "", error: undefined }) };

/** Plain objects as data of ours. */
export function dataOf(objects: readonly object[]): readonly JsonObject[] {
  return objects.map(objectData);
}

function objectData(data: object): JsonObject {
  const value = fromPlain(data);
  if (!isObject(value)) throw new Error("a manifest is an object");
  return value;
}

/** A request with all that follows from its objects. */
export function attributesOf(request: PolicyRequest): AdmissionAttributes {
  const object = request.object && objectData(request.object);
  const oldObject = request.oldObject && objectData(request.oldObject);
  const operation = request.operation ?? operationOf(object, oldObject);
  const subject = object ?? oldObject ?? {};
  const { resource } = request;
  const metadata = objectOf(subject["metadata"]);
  const name = request.name ?? textOf(metadata["name"]);
  const isNamespace = resource.group === "" && resource.resource === "namespaces";
  return {
    operation,
    resource,
    subresource: request.subresource ?? "",
    kind: request.kind ?? kindOf(subject, resource),
    name,
    namespace: isNamespace ? name : (request.namespace ?? textOf(metadata["namespace"])),
    object,
    oldObject,
    options: request.options === undefined ? optionsOf(operation) : objectData(request.options),
    dryRun: request.dryRun ?? false,
    userInfo: userOf(request.user),
  };
}

function operationOf(object: JsonObject | undefined, oldObject: JsonObject | undefined): Operation {
  if (object === undefined) return "DELETE";
  return oldObject === undefined ? "CREATE" : "UPDATE";
}

function kindOf(subject: JsonObject, { group, version }: GroupVersionResource): GroupVersionKind {
  const own = typeof subject["apiVersion"] === "string" ? parseGroupVersion(subject["apiVersion"]) : undefined;
  return { group, version, ...own, kind: textOf(subject["kind"]) };
}

const OPTIONS: Readonly<Record<Operation, string | undefined>> = {
  CREATE: "CreateOptions",
  UPDATE: "UpdateOptions",
  DELETE: "DeleteOptions",
  CONNECT: undefined,
};

function optionsOf(operation: Operation): JsonObject | undefined {
  const kind = OPTIONS[operation];
  return kind === undefined ? undefined : objectData({ kind, apiVersion: "meta.k8s.io/v1" });
}

const ANONYMOUS: PolicyUser = { name: "system:anonymous", groups: ["system:unauthenticated"] };

function userOf({ name, uid = "", groups = [], extra = {} }: PolicyUser = ANONYMOUS): UserInfo {
  return { name, uid, groups, extra: new Map(Object.entries(extra)) };
}
