/** Webhooks and requests for tests. */
import { encodeUtf8 } from "@portcullis/gostd/utf8";
import { type AdmissionAttributes, NO_EQUIVALENTS } from "../policy/attributes.ts";
import { fromPlain } from "../value/copy.ts";
import { isObject, type JsonObject, newObject } from "../value/json.ts";
import type { CallObservation, WebhookContext } from "./context.ts";
import { type AdmissionWebhook, readWebhooks } from "./webhook.ts";
import { WebhookSet } from "./webhook-set.ts";

export function json(plain: unknown): JsonObject {
  const made = fromPlain(plain);
  return isObject(made) ? made : newObject();
}

/** A configuration whose webhooks match config maps by default. */
export function webhookSet(...webhooks: readonly object[]): WebhookSet {
  const configuration = json({
    metadata: { name: "c" },
    webhooks: webhooks.map((webhook) => ({
      rules: [{ apiGroups: [""], apiVersions: ["v1"], operations: ["*"], resources: ["configmaps"] }],
      admissionReviewVersions: ["v1"],
      sideEffects: "None",
      clientConfig: { url: "https://example.com" },
      ...webhook,
    })),
  });
  return new WebhookSet([{ name: "c", webhooks: readWebhooks(configuration) }]);
}

export function attributes(more: Partial<AdmissionAttributes> = {}): AdmissionAttributes {
  return {
    operation: "CREATE",
    resource: { group: "", version: "v1", resource: "configmaps" },
    subresource: "",
    kind: { group: "", version: "v1", kind: "ConfigMap" },
    name: "a",
    namespace: "default",
    object: json({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", labels: { l: "1" } }, data: {} }),
    oldObject: undefined,
    options: undefined,
    dryRun: false,
    userInfo: { name: "me", uid: "", groups: [], extra: new Map() },
    ...more,
  };
}

/** The response of a webhook without its uid; a string is a transport error. */
export type Script = Readonly<Record<string, object | string>>;

export interface Recording {
  readonly called: string[];
  readonly reviews: unknown[];
  readonly warnings: string[];
  readonly annotations: Map<string, string>;
  readonly observations: CallObservation[];
}

/** A context with scripted webhook responses; webhooks without a script allow. */
export function scripted(script: Script = {}): { readonly context: WebhookContext; readonly recording: Recording } {
  const recording: Recording = { called: [], reviews: [], warnings: [], annotations: new Map(), observations: [] };
  const context: WebhookContext = {
    run: async (evaluate) =>
      evaluate({
        namespace: (name) => json({ metadata: { name, labels: { "kubernetes.io/metadata.name": name } } }),
        authorizer: { authorize: () => ({ decision: "allow", reason: "", error: undefined }) },
      }),
    equivalents: NO_EQUIVALENTS,
    version: "1.36",
    clock: () => 0,
    call: async (webhook, body) => answerTo(webhook, body, script, recording),
    newUid: () => "u1",
    remaining: () => 30_000,
    warn: (text) => recording.warnings.push(text),
    annotate: (key, value) => recording.annotations.set(key, value),
    observer: {
      called: (observation) => recording.observations.push(observation),
      failedOpen: () => {},
      conditionsExcluded: () => {},
      conditionsEvaluated: () => {},
    },
  };
  return { context, recording };
}

function answerTo({ name }: AdmissionWebhook, body: string, script: Script, { called, reviews }: Recording) {
  called.push(name);
  const review = JSON.parse(body);
  reviews.push(review);
  const answer = script[name] ?? {};
  if (typeof answer === "string") return { error: answer };
  const { apiVersion, kind } = review;
  const response = { uid: review.request.uid, allowed: true, ...answer };
  return {
    answer: {
      code: 200,
      contentType: "application/json",
      body: encodeUtf8(JSON.stringify({ apiVersion, kind, response })),
    },
  };
}

/** The members of a response that patch the object. */
export function patch(...operations: readonly object[]): object {
  return { patchType: "JSONPatch", patch: btoa(JSON.stringify(operations)) };
}
