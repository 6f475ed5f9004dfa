/** The authorizer `Node`: nodes may use what the pods on them need. Nodes are known by user name and group. */
import type { User } from "@portcullis/engine/internal/rbac/user";
import { type Authorizer, NO_OPINION } from "@portcullis/engine/internal/review/authorizer";
import { asServer, type ServerRules } from "@portcullis/engine/internal/value/server-version";
import { decodeEntry } from "../../registry/object-codec.ts";
import type { Registry } from "../../registry/registry.ts";
import type { Followers } from "../../storage/followers.ts";
import type { Entry } from "../../storage/store.ts";
import type { ListedRules } from "../authorize.ts";
import { decideForNode, type NodeRights, nodeRules } from "./decide.ts";
import * as messages from "./messages.ts";
import { NodeRelations } from "./relations.ts";

const NODES_GROUP = "system:nodes";
const PREFIX = "system:node:";

/** Where relations come from. */
const SOURCES = [
  ["", "v1", "pods"],
  ["", "v1", "persistentvolumes"],
  ["storage.k8s.io", "v1", "volumeattachments"],
  ["resource.k8s.io", "v1", "resourceslices"],
  ["certificates.k8s.io", "v1", "podcertificaterequests"],
] as const;

export class NodeAuthorizer {
  readonly #followers: Followers;
  readonly #registry: Registry;
  readonly #rules: ServerRules;
  readonly #rights: NodeRights;

  constructor(followers: Followers, registry: Registry, rules: ServerRules) {
    this.#followers = followers;
    this.#registry = registry;
    this.#rules = rules;
    this.#rights = { relations: new NodeRelations(), rules: asServer(rules, nodeRules) };
  }

  async start(): Promise<void> {
    for (const [group, version, plural] of SOURCES) {
      const type = this.#registry.find(group, version, plural);
      if (type === undefined) continue;
      const see = (key: string, entry: Entry | undefined): void =>
        this.#rights.relations.see(plural, key, entry && decodeEntry(entry, type));
      await this.#followers.follow({ name: `node ${plural}`, prefix: type.storagePrefix, see });
    }
  }

  /** What nodes may do is not a list of rules. */
  rulesFor(user: User): ListedRules {
    return { rules: [], errors: nodeNameOf(user) === undefined ? [] : [messages.noRulesOfNodes()] };
  }

  readonly authorize: Authorizer = async (attributes) => {
    const node = nodeNameOf(attributes.user);
    if (node === undefined) return NO_OPINION;
    const { name } = attributes.user;
    if (node === "") return { verdict: "no-opinion", reason: messages.unknownNode(name) };
    return asServer(this.#rules, () => decideForNode(node, attributes, this.#rights));
  };
}

/** "" for a node without a name; undefined for other users. */
function nodeNameOf(user: User): string | undefined {
  const isNode = user.name.startsWith(PREFIX) && user.groups.includes(NODES_GROUP);
  return isNode ? user.name.slice(PREFIX.length) : undefined;
}
