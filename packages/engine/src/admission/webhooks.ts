/** Admission webhooks in force: every write is put to them. Follows apiserver pkg/admission/plugin/webhook. */

import type { KubernetesVersion } from "../kubecel/versions.ts";
import { NO_CLOCK } from "../policy/evaluate.ts";
import { FIRST_RUN } from "../policy/mutating/reinvocation.ts";
import type { AdmissionPlugin, AdmissionRequest, Reinvocation } from "../review/cluster-view.ts";
import { deepEqual } from "../value/equal.ts";
import { isArray, isObject, type JsonObject, type JsonValue } from "../value/json.ts";
import { metaOf, objectOf, textOf } from "../value/metadata.ts";
import { asVersion } from "../value/server-version.ts";
import type { CallWebhook, WebhookContext, WebhookObserver } from "../webhooks/context.ts";
import { mutateByWebhooks } from "../webhooks/mutate.ts";
import type { PatchedKind } from "../webhooks/patch.ts";
import { validateByWebhooks } from "../webhooks/validate.ts";
import type { WebhookSet } from "../webhooks/webhook-set.ts";
import { equivalentResources } from "./equivalents.ts";
import { Lookups } from "./lookups.ts";
import { decodePatchedBuiltin, decodePatchedCustom, decodePatchedScale, scaleFromMap } from "./patched.ts";
import { withoutEmpty } from "./seen.ts";
import { attributesOf } from "./validating-policies.ts";

/** The webhooks in force. */
export interface WebhookSource {
  current(): WebhookSet;
}

export interface WebhookAdmissionOptions {
  /** The version whose expressions match conditions may use. */
  readonly version: KubernetesVersion;
  readonly call: CallWebhook;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly observer: WebhookObserver;
}

export function mutatingWebhookAdmission(source: WebhookSource, options: WebhookAdmissionOptions): AdmissionPlugin {
  return {
    name: "MutatingAdmissionWebhook",
    mutate: (request, reinvocation) => mutate(request, reinvocation, source, options),
  };
}

export function validatingWebhookAdmission(source: WebhookSource, options: WebhookAdmissionOptions): AdmissionPlugin {
  return {
    name: "ValidatingAdmissionWebhook",
    validate: async (request) => {
      const set = source.current();
      if (set.isEmpty) return;
      const error = await validateByWebhooks(set, attributesOf(request, "validating"), contextOf(request, options));
      if (error !== undefined) throw error;
    },
  };
}

async function mutate(
  request: AdmissionRequest,
  reinvocation: Reinvocation,
  source: WebhookSource,
  options: WebhookAdmissionOptions,
): Promise<JsonObject | undefined> {
  const set = source.current();
  if (set.isEmpty) return request.object;
  const isCustom = isUnstructured(request);
  const attributes = attributesOf(request, "mutating");
  const { object, error, reinvokes, state } = await mutateByWebhooks(set, attributes, {
    ...contextOf(request, options),
    patched: patchedKindOf(request, options.version),
    isCustom,
    previous: reinvocation.isAgain ? (reinvocation.webhooks ?? FIRST_RUN) : undefined,
    // What a policy has changed was decoded before.
    hasFreshTimes: !isCustom && !reinvocation.isWanted && hasNewEntry(request),
  });
  if (error !== undefined) throw error;
  reinvocation.webhooks = state;
  if (reinvokes) reinvocation.isWanted = true;
  return object === attributes.object ? request.object : object;
}

function patchedKindOf(request: AdmissionRequest, version: KubernetesVersion): PatchedKind {
  const { type } = request.endpoint;
  if (isUnstructured(request)) return { decode: (text) => decodePatchedCustom(text, type) };
  if (type.isCustom) return { decode: decodePatchedScale, complete: scaleFromMap };
  return { decode: (text, kind) => asVersion(version, () => decodePatchedBuiltin(text, kind)), written: withoutEmpty };
}

/** Custom resources are maps; a scale is typed whatever it is the scale of. */
function isUnstructured({ endpoint }: AdmissionRequest): boolean {
  return endpoint.type.isCustom && endpoint.subresource?.name !== "scale";
}

/**
 * Whether the write gave an entry of managed fields the present time. Within the second of the last write the entries
 * are alike; then it did if it sets anything.
 */
function hasNewEntry({ object, old, cluster }: AdmissionRequest): boolean {
  const before = entriesOf(old).map(ownerKey);
  const entries = entriesOf(object);
  // An apply that changes nothing leaves an entry without a time.
  if (entries.some((entry) => textOf(entry["time"]) !== "" && !before.includes(ownerKey(entry)))) return true;
  const now = cluster.system.now();
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

function contextOf(request: AdmissionRequest, options: WebhookAdmissionOptions): WebhookContext {
  const { cluster, warn, annotate, noteCall, deadline = Number.POSITIVE_INFINITY } = request;
  const { version, now, observer } = options;
  const lookups = new Lookups(request);
  const clock = cluster.metrics?.clock ?? NO_CLOCK;
  // Time in which an answer is waited for does not count.
  let worked = 0;
  return {
    run: (evaluate) =>
      lookups.run((known) => {
        const start = clock();
        const result = evaluate(known);
        worked += clock() - start;
        request.overrun?.(worked);
        return result;
      }),
    equivalents: equivalentResources(cluster.kinds, lookups.convert),
    clock,
    newUid: cluster.system.uid,
    remaining: () => deadline - now(),
    version,
    call: (...asked) => {
      noteCall?.();
      return options.call(...asked);
    },
    warn,
    annotate,
    observer,
  };
}
