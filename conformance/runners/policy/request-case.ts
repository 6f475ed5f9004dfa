/** Runs a recorded request with our engine: the objects of the case replace the cluster. */

import type {
  AdmissionAttributes,
  EquivalentResources,
  GroupVersionKind,
} from "@portcullis/engine/internal/policy/attributes";
import { loadBinding } from "@portcullis/engine/internal/policy/binding";
import { evaluatePolicies, type PolicyVerdict } from "@portcullis/engine/internal/policy/dispatch";
import type { ParamSource } from "@portcullis/engine/internal/policy/params";
import { loadPolicy } from "@portcullis/engine/internal/policy/policy";
import { PolicySet } from "@portcullis/engine/internal/policy/policy-set";
import { rbacSource, serverAuthorizer } from "@portcullis/engine/internal/rbac/authorizer";
import { statusBody } from "@portcullis/engine/internal/status/error";
import { fromPlain, toPlain } from "@portcullis/engine/internal/value/copy";
import { isObject, type JsonObject } from "@portcullis/engine/internal/value/json";
import { RECORDED_VERSION } from "../recorded-version.ts";

export interface RequestCase {
  readonly id: string;
  readonly policies: readonly unknown[];
  readonly bindings: readonly unknown[];
  readonly params?: readonly KubernetesObject[];
  readonly namespaces?: readonly KubernetesObject[];
  readonly definitions?: readonly Definition[];
  readonly rbac?: readonly unknown[];
  readonly request: RecordedRequest;
  readonly expect: Expectation;
}

interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

interface Definition {
  readonly spec: {
    readonly group: string;
    readonly scope: string;
    readonly names: { readonly kind: string; readonly plural: string };
    readonly versions: readonly { readonly name: string }[];
  };
}

interface RecordedRequest
  extends Pick<
    AdmissionAttributes,
    "operation" | "resource" | "kind" | "name" | "namespace" | "subresource" | "dryRun"
  > {
  readonly object?: unknown;
  readonly oldObject?: unknown;
  /** In addition to system:authenticated. */
  readonly user: {
    readonly name: string;
    readonly uid?: string;
    readonly groups: readonly string[];
    readonly extra?: Readonly<Record<string, readonly string[]>>;
  };
}

export interface Expectation {
  readonly allowed: boolean;
  readonly code?: number;
  readonly reason?: string;
  readonly message?: string;
  readonly details?: unknown;
  readonly warnings: readonly string[];
  readonly audit: Readonly<Record<string, string>>;
}

export function answerRequest(recorded: RequestCase): Expectation {
  const set = new PolicySet(recorded.policies.map(json).map(loadPolicy), recorded.bindings.map(json).map(loadBinding));
  const verdict = evaluatePolicies(set, attributesOf(recorded.request), {
    params: paramsOf(recorded),
    namespace: (name) => namespaceOf(recorded, name),
    authorizer: serverAuthorizer(rbacSource([...BOOTSTRAP, ...(recorded.rbac ?? [])].map(json))),
    equivalents: equivalentsOf(recorded),
    version: RECORDED_VERSION,
  });
  return { ...refusalOf(verdict), warnings: shownWarnings(verdict.warnings), audit: auditOf(verdict) };
}

export function json(data: unknown): JsonObject {
  const value = fromPlain(data);
  if (!isObject(value)) throw new Error("a case holds objects only");
  return value;
}

export const OPTIONS = { CREATE: "CreateOptions", UPDATE: "UpdateOptions", DELETE: "DeleteOptions", CONNECT: "" };

function attributesOf({ object, oldObject, user, ...request }: RecordedRequest): AdmissionAttributes {
  const options = {
    kind: OPTIONS[request.operation],
    apiVersion: "meta.k8s.io/v1",
    ...(request.dryRun && { dryRun: ["All"] }),
  };
  return {
    ...request,
    object: object === undefined ? undefined : json(object),
    oldObject: oldObject === undefined ? undefined : json(oldObject),
    options: json(options),
    userInfo: {
      name: user.name,
      uid: user.uid ?? "",
      groups: [...user.groups, "system:authenticated"],
      extra: new Map(Object.entries(user.extra ?? {})),
    },
  };
}

export function namespaceOf({ namespaces = [] }: RequestCase, name: string): JsonObject | undefined {
  const own = namespaces.find(({ metadata }) => metadata.name === name);
  if (own !== undefined) return json(own);
  if (name !== "default" && name !== "kube-system") return undefined;
  const labels = { "kubernetes.io/metadata.name": name };
  const metadata = { name, uid: "u", creationTimestamp: "2026-01-01T00:00:00Z", labels };
  return json({ metadata, spec: { finalizers: ["kubernetes"] }, status: { phase: "Active" } });
}

export function paramsOf({ params = [], definitions = [] }: RequestCase): ParamSource {
  return {
    find({ group, version, kind }) {
      const definition = definitions.find(({ spec }) => spec.group === group && spec.names.kind === kind);
      const isServed =
        group === "" ? version === "v1" : definition?.spec.versions.some(({ name }) => name === version) === true;
      if (!isServed) return undefined;
      const namespaced = definition?.spec.scope !== "Cluster";
      const within = (namespace: string) =>
        params.filter(({ metadata }) => !namespaced || metadata.namespace === namespace);
      return {
        namespaced,
        get: (namespace, name) => {
          const found = within(namespace).find(({ metadata }) => metadata.name === name);
          return found && json(found);
        },
        list: (namespace) => within(namespace).map(json),
      };
    },
  };
}

function equivalentsOf({ definitions = [] }: RequestCase): EquivalentResources {
  return {
    equivalents: (resource) => {
      const definition = definitions.find(({ spec }) => spec.group === resource.group);
      if (definition === undefined) return [resource];
      return definition.spec.versions.map(({ name }) => ({ ...resource, version: name }));
    },
    kindFor: ({ group, version }): GroupVersionKind => ({ group, version, kind: "Widget" }),
    convert: (object, { group, version }) => ({ ...object, apiVersion: `${group}/${version}` }),
  };
}

/** Part of the objects that every API server starts with. */
export const BOOTSTRAP = [
  {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRole",
    metadata: { name: "system:basic-user" },
    rules: [{ apiGroups: ["authorization.k8s.io"], resources: ["selfsubjectaccessreviews"], verbs: ["create"] }],
  },
];

function refusalOf({ error }: PolicyVerdict): Pick<Expectation, "allowed" | "code" | "reason" | "message" | "details"> {
  if (error === undefined) return { allowed: true };
  const { code, reason, message } = error;
  const body = statusBody(error);
  return { allowed: false, code, reason, message, details: toPlain(body["details"] ?? null) };
}

const LONGEST = 4096;
const SHORT = 256;

/** How the server sends warnings: each once, none with control characters, all truncated if they are too long. */
export function shownWarnings(texts: readonly string[]): string[] {
  const distinct = [...new Set(texts)].filter((text) => !hasControlCharacter(text));
  const total = distinct.reduce((sum, text) => sum + [...text].length, 0);
  if (total <= LONGEST) return distinct;
  return distinct.map((text) => [...text].slice(0, SHORT).join("")).slice(0, LONGEST / SHORT);
}

function hasControlCharacter(text: string): boolean {
  return [...text].some((char) => char < " " || (char >= "\u007f" && char <= "\u009f"));
}

function auditOf({ auditAnnotations }: PolicyVerdict): Record<string, string> {
  return Object.fromEntries([...auditAnnotations].sort());
}
