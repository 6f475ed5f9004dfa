/** Manifests instead of a cluster: the policies in force, and everything they may read. */

import { explainedWebhooks } from "@portcullis/engine/internal/admission/explained-webhooks";
import { mutableKindsFrom } from "@portcullis/engine/internal/admission/mutable-kinds";
import { mutatingPolicyAdmission } from "@portcullis/engine/internal/admission/mutating-policies";
import { policyAdmission } from "@portcullis/engine/internal/admission/validating-policies";
import { MemoryCluster } from "@portcullis/engine/internal/cluster/memory-cluster";
import type { KubernetesVersion } from "@portcullis/engine/internal/kubecel/versions";
import type { PodSecurityConfiguration } from "@portcullis/engine/internal/podsecurity/configuration";
import type { PolicyContext } from "@portcullis/engine/internal/policy/dispatch";
import {
  mutatingPolicySetFrom,
  namespacesFrom,
  paramsFrom,
  policySetFrom,
} from "@portcullis/engine/internal/policy/manifests";
import type { MutationContext } from "@portcullis/engine/internal/policy/mutating/invoke";
import type { MutatingPolicy } from "@portcullis/engine/internal/policy/mutating/policy";
import type { PolicySet } from "@portcullis/engine/internal/policy/policy-set";
import { rbacSource, serverAuthorizer } from "@portcullis/engine/internal/rbac/authorizer";
import { bootstrapPolicy } from "@portcullis/engine/internal/rbac/bootstrap";
import type { Authorizer } from "@portcullis/engine/internal/review/authorizer";
import type { AdmissionPlugin } from "@portcullis/engine/internal/review/cluster-view";
import type { EngineOptions } from "@portcullis/engine/internal/review/custom-resource/custom-resource";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { objectOf, textOf } from "@portcullis/engine/internal/value/metadata";
import { equivalentResources } from "./equivalents.ts";
import { definitionsIn, gvkOf, type KindCatalog, kindByConvention, kindCatalog } from "./kinds.ts";

export interface PolicyCluster {
  readonly policies: PolicySet;
  readonly mutating: PolicySet<MutatingPolicy>;
  readonly cluster: MemoryCluster;
  /** The policies as plugins of the review. */
  readonly admission: readonly AdmissionPlugin[];
  /** Plugins that report which webhooks would be asked. */
  readonly webhooks: ReturnType<typeof explainedWebhooks>;
  /** For requests that cannot be reviewed: CONNECT, and unknown kinds. */
  readonly context: PolicyContext & Pick<MutationContext, "kinds">;
  readonly kinds: KindCatalog;
  /** Objects with all roles and their bindings. */
  readonly roles: readonly JsonObject[];
  /** The kinds, as `apiVersion kind`, that nothing defines: any object of them is assumed to be valid. */
  readonly assumedKinds: ReadonlySet<string>;
  readonly version: KubernetesVersion;
}

export interface PolicyClusterOptions {
  /** Without it Pod Security is not enforced. */
  readonly podSecurity?: PodSecurityConfiguration | undefined;
  /** Whether the roles that every server has are there too. */
  readonly hasDefaultRoles?: boolean | undefined;
}

export function policyCluster(
  objects: readonly JsonObject[],
  engine: EngineOptions,
  { podSecurity, hasDefaultRoles = false }: PolicyClusterOptions = {},
): PolicyCluster {
  const kinds = kindCatalog(objects, engine);
  const roles = hasDefaultRoles ? [...defaultRoles(), ...objects] : objects;
  const permissions = serverAuthorizer(rbacSource(roles));
  const context = {
    kinds: mutableKindsFrom(definitionsIn(objects)),
    params: paramsFrom(objects, { isNamespaced: (kind) => kinds.ofKind(kind)?.namespaced }),
    namespace: namespacesFrom(objects),
    authorizer: permissions,
    equivalents: equivalentResources(kinds),
    version: engine.version,
    explain: true,
  };
  const policies = policySetFrom(objects);
  const undefinedKinds = objectsWithoutKind(objects, kinds);
  const mutating = mutatingPolicySetFrom(objects);
  const { version } = engine;
  const authorizer: Authorizer = async (question) => {
    const { group, version: apiVersion, isResource, fieldSelector = "", labelSelector = "" } = question;
    const asked = {
      ...question,
      apiGroup: group,
      apiVersion,
      resourceRequest: isResource,
      fieldSelector,
      labelSelector,
    };
    const { decision, reason } = permissions.authorize(asked);
    return { verdict: decision === "noOpinion" ? "no-opinion" : decision, reason };
  };
  return {
    policies,
    mutating,
    cluster: new MemoryCluster([...objects, ...undefinedKinds.map(guessedCrd)], { engine, authorizer, podSecurity }),
    admission: [
      mutatingPolicyAdmission({ current: () => mutating }, { version, explain: true }),
      policyAdmission({ current: () => policies }, { version, explain: true }),
    ],
    webhooks: explainedWebhooks(version),
    context,
    kinds,
    roles,
    assumedKinds: new Set(undefinedKinds.map((object) => `${textOf(object["apiVersion"])} ${textOf(object["kind"])}`)),
    version,
  };
}

function defaultRoles(): readonly JsonObject[] {
  return Object.values(bootstrapPolicy()).flat();
}

/** Params, and objects under policies, may be of a kind whose CRD is not among the manifests. */
function objectsWithoutKind(objects: readonly JsonObject[], kinds: KindCatalog): readonly JsonObject[] {
  return objects.filter(
    (object) => textOf(object["apiVersion"]).includes("/") && kinds.ofKind(gvkOf(object)) === undefined,
  );
}

function guessedCrd(object: JsonObject): JsonObject {
  const gvk = gvkOf(object);
  const metadata = object["metadata"];
  const isNamespaced = typeof metadata === "object" && metadata !== null && "namespace" in metadata;
  const { resource } = kindByConvention(gvk, isNamespaced);
  const openAPIV3Schema = objectOf({ type: "object", "x-kubernetes-preserve-unknown-fields": true });
  return objectOf({
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    // Not the name of a CRD, which it would replace: other versions may be known.
    metadata: objectOf({ name: `${gvk.version}.${resource}.${gvk.group}` }),
    spec: objectOf({
      group: gvk.group,
      scope: isNamespaced ? "Namespaced" : "Cluster",
      names: objectOf({ plural: resource, kind: gvk.kind }),
      versions: [objectOf({ name: gvk.version, served: true, storage: true, schema: objectOf({ openAPIV3Schema }) })],
    }),
  });
}
