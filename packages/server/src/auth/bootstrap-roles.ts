/**
 * The roles and bindings of every server: created if they are missing, otherwise repaired. Follows kubernetes
 * pkg/registry/rbac/rest/storage_rbac.go.
 */
import { type BootstrapPolicy, bootstrapPolicy } from "@portcullis/engine/internal/rbac/bootstrap";
import { reconciled } from "@portcullis/engine/internal/rbac/reconcile";
import type { ResourceKind } from "@portcullis/engine/internal/review/kind";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { metaOf, metaText, withMeta } from "@portcullis/engine/internal/value/metadata";
import { withMember } from "@portcullis/engine/internal/value/rewrite";
import { asServer, type ServerRules } from "@portcullis/engine/internal/value/server-version";
import type { ServerContext } from "../registry/context.ts";
import { decodeEntry, keyOf } from "../registry/object-codec.ts";
import { changeStored, createStored } from "../registry/stored.ts";
import type { Entry } from "../storage/store.ts";
import { RBAC_GROUP } from "./rbac.ts";

type Stored = ReadonlyMap<string, Entry>;

export async function createBootstrapRoles(server: ServerContext, rules: ServerRules): Promise<void> {
  const policy = asServer(rules, bootstrapPolicy);
  const plurals = Object.keys(policy) as (keyof BootstrapPolicy)[];
  await Promise.all(plurals.map((plural) => ensureAll(server, plural, policy[plural])));
}

async function ensureAll(server: ServerContext, plural: string, expected: readonly JsonObject[]): Promise<void> {
  const type = server.registry.find(RBAC_GROUP, "v1", plural);
  if (type === undefined) return;
  const { entries } = await server.store.list(type.storagePrefix);
  const stored: Stored = new Map(entries.map((entry) => [entry.key, entry]));
  // Together they wait for the disk once.
  await Promise.all(expected.map((object) => ensure(server, type, object, stored)));
}

async function ensure(server: ServerContext, type: ResourceKind, expected: JsonObject, stored: Stored): Promise<void> {
  const { store } = server;
  const key = keyOf(type, metaText(expected, "namespace"), metaText(expected, "name"));
  const entry = stored.get(key);
  if (entry === undefined) return createStored(store, key, type, stamped(asSplit(type, expected, stored), server));
  const existing = decodeEntry(entry, type);
  const repaired = reconciled(existing, expected);
  if (repaired === existing) return;
  await changeStored(store, key, type, (now) => {
    const object = reconciled(now, expected);
    // The role of a binding cannot be changed by clients, so it is another binding of that name.
    return object === "recreate" ? stamped(expected, server) : object;
  });
}

function stamped(object: JsonObject, { system }: ServerContext): JsonObject {
  return withMeta(object, { uid: system.uid(), creationTimestamp: system.now() });
}

/** Before 1.14 one binding stood for both: what was changed about it applies to the new one, too. */
function asSplit(type: ResourceKind, expected: JsonObject, stored: Stored): JsonObject {
  if (type.plural !== "clusterrolebindings" || metaText(expected, "name") !== "system:public-info-viewer")
    return expected;
  const discovery = stored.get(keyOf(type, "", "system:discovery"));
  if (discovery === undefined) return expected;
  const source = decodeEntry(discovery, type);
  const { labels, annotations } = metaOf(source);
  return withMember(withMeta(expected, { labels, annotations }), "subjects", source["subjects"] ?? null);
}
