/** Admission webhooks in force: every write is put to them. Follows apiserver pkg/admission/plugin/webhook. */

import type { KubernetesVersion } from "@portcullis/engine/kubecel";
import { decodePatchedBuiltin, decodePatchedCustom } from "@portcullis/engine/pipeline/patched";
import { FIRST_RUN } from "@portcullis/engine/policy/mutating/reinvocation";
import { deepEqual } from "@portcullis/engine/value/equal";
import { isArray, isObject, type JsonObject, type JsonValue } from "@portcullis/engine/value/json";
import type { CallWebhook, WebhookContext } from "@portcullis/engine/webhooks/context";
import { mutateByWebhooks } from "@portcullis/engine/webhooks/mutate";
import type { PatchedKind } from "@portcullis/engine/webhooks/patch";
import { validateByWebhooks } from "@portcullis/engine/webhooks/validate";
import { attributesOf } from "../policy/admission.ts";
import { equivalentResources } from "../policy/equivalents.ts";
import { Lookups } from "../policy/lookups.ts";
import type { AdmissionPlugin, AdmissionRequest, Reinvocation } from "../registry/context.ts";
import { metaOf, objectOf, textOf } from "../registry/meta.ts";
import type { WebhookCatalog } from "./catalog.ts";

export interface WebhookAdmissionOptions {
  /** The version whose expressions match conditions may use. */
  readonly version: KubernetesVersion;
  readonly call: CallWebhook;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export function mutatingWebhookAdmission(catalog: WebhookCatalog, options: WebhookAdmissionOptions): AdmissionPlugin {
  return {
    name: "MutatingAdmissionWebhook",
    mutate: (request, reinvocation) => mutate(request, reinvocation, catalog, options),
  };
}

export function validatingWebhookAdmission(catalog: WebhookCatalog, options: WebhookAdmissionOptions): AdmissionPlugin {
  return {
    name: "ValidatingAdmissionWebhook",
    validate: async (request) => {
      const set = await catalog.current();
      if (set.webhooks.length === 0) return;
      const error = await validateByWebhooks(set, attributesOf(request, "validating"), contextOf(request, options));
      if (error !== undefined) throw error;
    },
  };
}

async function mutate(
  request: AdmissionRequest,
  reinvocation: Reinvocation,
  catalog: WebhookCatalog,
  options: WebhookAdmissionOptions,
): Promise<JsonObject | undefined> {
  const set = await catalog.current();
  if (set.webhooks.length === 0) return request.object;
  const isCustom = isUnstructured(request);
  const { object, error, reinvokes, state } = await mutateByWebhooks(set, attributesOf(request, "mutating"), {
    ...contextOf(request, options),
    patched: isCustom ? CUSTOM : BUILT_IN,
    isCustom,
    previous: reinvocation.isAgain ? (reinvocation.webhooks ?? FIRST_RUN) : undefined,
    // What a policy has changed was decoded before.
    hasFreshTimes: !isCustom && !reinvocation.isWanted && hasNewEntry(request),
  });
  if (error !== undefined) throw error;
  reinvocation.webhooks = state;
  if (reinvokes) reinvocation.isWanted = true;
  return object;
}

const CUSTOM: PatchedKind = { decode: decodePatchedCustom };
const BUILT_IN: PatchedKind = { decode: decodePatchedBuiltin };

/** Custom resources are maps; a scale is typed whatever it is the scale of. */
function isUnstructured({ endpoint }: AdmissionRequest): boolean {
  return endpoint.type.isCustom && endpoint.subresource?.name !== "scale";
}

/**
 * Whether the write gave an entry of managed fields the present time. Within the second of the last write the entries
 * are alike; then it did if it sets anything.
 */
function hasNewEntry({ object, old, server }: AdmissionRequest): boolean {
  const before = entriesOf(old).map(ownerKey);
  const entries = entriesOf(object);
  if (entries.some((entry) => !before.includes(ownerKey(entry)))) return true;
  const now = server.system.now();
  return entries.some(({ time }) => time === now) && !deepEqual(withoutMeta(object), withoutMeta(old));
}

function ownerKey({ manager, operation, subresource, time }: JsonObject): string {
  return [manager, operation, subresource, time].map(textOf).join("\n");
}

function withoutMeta(object: JsonObject | undefined): JsonValue {
  if (object === undefined) return null;
  const { labels, annotations, finalizers, ownerReferences } = metaOf(object);
  return objectOf({ ...object, metadata: objectOf({ labels, annotations, finalizers, ownerReferences }) });
}

function entriesOf(object: JsonObject | undefined): JsonObject[] {
  const entries = object && metaOf(object)["managedFields"];
  return isArray(entries) ? entries.filter(isObject) : [];
}

function contextOf(request: AdmissionRequest, { version, call, now }: WebhookAdmissionOptions): WebhookContext {
  const { server, warn, annotate, deadline } = request;
  const lookups = new Lookups(server);
  return {
    run: (evaluate) => lookups.run(evaluate),
    equivalents: equivalentResources(server.registry, lookups.convert),
    version,
    clock: server.metrics.clock,
    call,
    newUid: server.system.uid,
    remaining: () => deadline - now(),
    warn,
    annotate,
    observer: server.metrics.webhooks,
  };
}
