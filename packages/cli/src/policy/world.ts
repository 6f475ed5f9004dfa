/** Manifests in place of a cluster: what policies are in force, and all they may ask for. */

import { mutableKindsFrom } from "@portcullis/engine/admission/mutable-kinds";
import type { PolicyContext } from "@portcullis/engine/policy/dispatch";
import { mutatingPolicySetFrom, namespacesFrom, paramsFrom, policySetFrom } from "@portcullis/engine/policy/manifests";
import type { MutationContext } from "@portcullis/engine/policy/mutating/invoke";
import type { MutatingPolicy } from "@portcullis/engine/policy/mutating/policy";
import type { PolicySet } from "@portcullis/engine/policy/policy-set";
import { rbacSource, serverAuthorizer } from "@portcullis/engine/rbac/authorizer";
import type { EngineOptions } from "@portcullis/engine/review/custom-resource/custom-resource";
import type { JsonObject } from "@portcullis/engine/value/json";
import { equivalentResources } from "./equivalents.ts";
import { definitionsIn, type KindCatalog, kindCatalog } from "./kinds.ts";

export interface World {
  readonly policies: PolicySet;
  readonly mutating: PolicySet<MutatingPolicy>;
  readonly context: PolicyContext & Pick<MutationContext, "kinds">;
  readonly kinds: KindCatalog;
}

export function buildWorld(objects: readonly JsonObject[], engine: EngineOptions): World {
  const kinds = kindCatalog(objects, engine);
  const context = {
    kinds: mutableKindsFrom(definitionsIn(objects)),
    params: paramsFrom(objects, { isNamespaced: (kind) => kinds.ofKind(kind)?.namespaced }),
    namespace: namespacesFrom(objects),
    authorizer: serverAuthorizer(rbacSource(objects)),
    equivalents: equivalentResources(kinds),
    version: engine.version,
    explain: true,
  };
  return { policies: policySetFrom(objects), mutating: mutatingPolicySetFrom(objects), context, kinds };
}
