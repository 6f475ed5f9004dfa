/** Puts policies and webhooks from files into force, and follows changes of the files. */
import type { ResourceKind } from "@portcullis/engine/internal/review/kind";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { loadStatic, type StaticManifests } from "../policy/static-manifests.ts";
import type { ServerContext } from "../registry/context.ts";
import { WorkQueue } from "../registry/work-queue.ts";

interface StaticAdmissionParts {
  readonly manifests: readonly StaticManifests[];
  readonly server: ServerContext;
  /** Those that accept the names of static objects. */
  readonly kinds: readonly ResourceKind[];
  readonly policies: Readonly<Record<"ValidatingAdmissionPolicy" | "MutatingAdmissionPolicy", PolicyTarget>>;
  readonly webhooks: Readonly<Record<"ValidatingAdmissionWebhook" | "MutatingAdmissionWebhook", WebhookTarget>>;
  readonly log: (message: string) => void;
}

interface PolicyTarget {
  setStatic(policies: readonly JsonObject[], bindings: readonly JsonObject[]): void;
}

interface WebhookTarget {
  setStatic(configurations: readonly JsonObject[]): void;
}

/** Throws an Error where manifests are wrong; later errors leave what is in force, and are logged. */
export async function startStaticAdmission(parts: StaticAdmissionParts): Promise<{ close(): void }> {
  const { manifests, server, log } = parts;
  for (const each of manifests) await load(each, parts);
  const reload = async (at: string): Promise<void> => {
    const each = manifests[Number(at)];
    if (each === undefined) return;
    await load(each, parts).catch((error: unknown) => log(error instanceof Error ? error.message : String(error)));
  };
  const queue = new WorkQueue(reload, server.onDefect);
  const ends = manifests.map((each, at) => each.watch(() => queue.add(String(at))));
  return {
    close: () => {
      queue.close();
      for (const end of ends) end();
    },
  };
}

async function load(manifests: StaticManifests, { server, kinds, policies, webhooks }: StaticAdmissionParts) {
  const { main, bindings } = await loadStatic(manifests, server, kinds);
  switch (manifests.plugin) {
    case "ValidatingAdmissionPolicy":
    case "MutatingAdmissionPolicy":
      return policies[manifests.plugin].setStatic(main, bindings);
    default:
      return webhooks[manifests.plugin].setStatic(main);
  }
}
