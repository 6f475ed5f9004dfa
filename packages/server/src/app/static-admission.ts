/** Puts policies and webhooks from files into force, and follows changes of the files. */
import type { EngineOptions } from "@portcullis/engine/internal/review/custom-resource/custom-resource";
import type { ResourceKind } from "@portcullis/engine/internal/review/kind";
import { standardKinds } from "@portcullis/engine/internal/review/kinds/standard";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { loadStatic, type StaticManifests } from "../policy/static-manifests.ts";
import type { ServerContext } from "../registry/context.ts";
import { ALWAYS } from "../registry/leadership.ts";
import { WorkQueue } from "../registry/work-queue.ts";
import type { AppOptions } from "./options.ts";

interface StaticAdmissionParts {
  readonly options: AppOptions;
  readonly engine: EngineOptions;
  readonly server: ServerContext;
  readonly policies: PolicyTarget;
  readonly mutatingPolicies: PolicyTarget;
  readonly validatingWebhooks: WebhookTarget;
  readonly mutatingWebhooks: WebhookTarget;
}

interface PolicyTarget {
  setStatic(policies: readonly JsonObject[], bindings: readonly JsonObject[]): void;
}

interface WebhookTarget {
  setStatic(configurations: readonly JsonObject[]): void;
}

/** Throws an Error where manifests are wrong; later errors leave what is in force, and are logged. */
export async function startStaticAdmission(parts: StaticAdmissionParts): Promise<{ close(): void }> {
  const { options, engine, server } = parts;
  const { staticManifests: manifests = [], followers } = options;
  if (manifests.length === 0) return { close: () => {} };
  // Names that are reserved for files are accepted from them.
  const gates = { ...engine.gates, ManifestBasedAdmissionControlConfig: false };
  const kinds = standardKinds({ engine: { ...engine, gates } });
  for (const each of manifests) await load(each, parts, kinds);
  const log = (error: unknown): void => followers?.log?.(error instanceof Error ? error.message : String(error));
  const reload = async (at: string): Promise<void> => {
    const each = manifests[Number(at)];
    if (each !== undefined) await load(each, parts, kinds).catch(log);
  };
  const queue = new WorkQueue("admission_manifests", reload, server, ALWAYS);
  const ends = manifests.map((each, at) => each.watch(() => queue.add(String(at))));
  return {
    close: () => {
      queue.close();
      for (const end of ends) end();
    },
  };
}

async function load(manifests: StaticManifests, parts: StaticAdmissionParts, kinds: readonly ResourceKind[]) {
  const { main, bindings } = await loadStatic(manifests, parts.server, kinds);
  switch (manifests.plugin) {
    case "ValidatingAdmissionPolicy":
      return parts.policies.setStatic(main, bindings);
    case "MutatingAdmissionPolicy":
      return parts.mutatingPolicies.setStatic(main, bindings);
    case "ValidatingAdmissionWebhook":
      return parts.validatingWebhooks.setStatic(main);
    default:
      return parts.mutatingWebhooks.setStatic(main);
  }
}
