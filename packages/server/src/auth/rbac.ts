/**
 * Authorization by the roles and bindings in the store.
 *
 * They are kept in memory and followed by a watch. After a change the rules are computed again on the next request.
 */
import {
  distinctRulesFor,
  type RbacSource,
  rbacAuthorizer,
  rbacSource,
  resolveRole,
  rulesFor,
} from "@portcullis/engine/internal/rbac/authorizer";
import type { PolicyRule, RoleBinding } from "@portcullis/engine/internal/rbac/objects";
import type { User } from "@portcullis/engine/internal/rbac/user";
import type { Authorizer } from "@portcullis/engine/internal/review/authorizer";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { decodeEntry } from "../registry/object-codec.ts";
import type { Registry } from "../registry/registry.ts";
import type { Followers } from "../storage/followers.ts";
import type { Entry } from "../storage/store.ts";
import type { ListedRules } from "./authorize.ts";

export const RBAC_GROUP = "rbac.authorization.k8s.io";

const PLURALS = ["clusterrolebindings", "clusterroles", "rolebindings", "roles"];

export class Rbac {
  readonly #followers: Followers;
  readonly #registry: Registry;
  readonly #objects = new Map<string, JsonObject>();
  #source: RbacSource | undefined;

  constructor(followers: Followers, registry: Registry) {
    this.#followers = followers;
    this.#registry = registry;
  }

  async start(): Promise<void> {
    for (const plural of PLURALS) {
      const type = this.#registry.find(RBAC_GROUP, "v1", plural);
      if (type === undefined) continue;
      const see = (key: string, entry: Entry | undefined): void => this.#see(key, entry && decodeEntry(entry, type));
      await this.#followers.follow({ name: plural, prefix: type.storagePrefix, see });
    }
  }

  readonly authorize: Authorizer = async (attributes) => {
    const { user, verb, isResource, path, group, version, resource, subresource, namespace, name } = attributes;
    const { decision, reason } = rbacAuthorizer(this.#rules()).authorize({
      user,
      verb,
      path,
      resource,
      subresource,
      namespace,
      name,
      resourceRequest: isResource,
      apiGroup: group,
      apiVersion: version,
      fieldSelector: attributes.fieldSelector ?? "",
      labelSelector: attributes.labelSelector ?? "",
    });
    return { verdict: decision === "noOpinion" ? "no-opinion" : decision, reason };
  };

  /** All that a user may do in a namespace, as far as it can be listed, and what is wrong with the bindings. */
  rulesFor(user: User, namespace: string): ListedRules {
    return rulesFor(user, namespace, this.#rules());
  }

  /** The rules that a user has, without those that could not be resolved. */
  distinctRulesFor(user: User, namespace: string): readonly PolicyRule[] {
    return distinctRulesFor(user, namespace, this.#rules());
  }

  /** The rules of the role that a binding names; a text says why there is none. */
  rulesOf(binding: Pick<RoleBinding, "roleRef" | "namespace">): readonly PolicyRule[] | string {
    const role = resolveRole(binding, this.#rules());
    return typeof role === "string" ? role : role.rules;
  }

  #rules(): RbacSource {
    this.#source ??= rbacSource([...this.#objects.values()]);
    return this.#source;
  }

  #see(key: string, object: JsonObject | undefined): void {
    if (object === undefined) this.#objects.delete(key);
    else this.#objects.set(key, object);
    this.#source = undefined;
  }
}
