/**
 * What mutating webhooks did to a write. They cannot be asked again, but API servers annotate the event with each call and,
 * from level Request on, with its patch.
 */
import { decodePatchedBuiltin, decodePatchedCustom } from "@portcullis/engine/internal/admission/patched";
import { attributesOf } from "@portcullis/engine/internal/admission/validating-policies";
import { decodeJson } from "@portcullis/engine/internal/codec/json";
import type { KubernetesVersion } from "@portcullis/engine/internal/kubecel/versions";
import { readOperations } from "@portcullis/engine/internal/patch/json-patch";
import type { AdmissionPlugin, AdmissionRequest } from "@portcullis/engine/internal/review/cluster-view";
import { internalError, StatusError } from "@portcullis/engine/internal/status/error";
import { isArray, isObject, type JsonObject, type JsonValue } from "@portcullis/engine/internal/value/json";
import { objectOf, textOf } from "@portcullis/engine/internal/value/read";
import { asVersion } from "@portcullis/engine/internal/value/server-version";
import { canonicalJson } from "@portcullis/engine/internal/value/text";
import { applyPatch } from "@portcullis/engine/internal/webhooks/patch";

interface WebhookCall {
  /** 1 if mutating admission ran a second time. */
  readonly round: number;
  readonly index: number;
  readonly webhook: string;
  readonly isMutated: boolean;
  readonly patch: JsonValue | undefined;
}

const MUTATION = /^mutation\.webhook\.admission\.k8s\.io\/(round_(\d+)_index_(\d+))$/;
const PATCH = "patch.webhook.admission.k8s.io/";

/** In the order in which they were made. */
function webhookCalls(annotations: JsonObject): readonly WebhookCall[] {
  const calls = Object.entries(annotations).flatMap(([key, value]) => {
    const [, place = "", round, index] = MUTATION.exec(key) ?? [];
    if (place === "") return [];
    const call = decoded(value);
    const patch = decoded(annotations[`${PATCH}${place}`])["patch"];
    const made = { round: Number(round), index: Number(index), webhook: textOf(call["webhook"]) };
    return [{ ...made, isMutated: call["mutated"] === true, patch }];
  });
  return calls.sort((left, right) => left.round - right.round || left.index - right.index);
}

function decoded(text: JsonValue | undefined): JsonObject {
  const found = decodeJson(textOf(text));
  return objectOf(found.error === undefined ? found.value : undefined);
}

const REFUSING = /^admission webhook "([^"]*)" denied the request|failed calling webhook "([^"]*)"/;

/** Whether the webhook that refused a request was a mutating one: policies that validate were not asked then. */
export function isRefusedByMutatingWebhook(message: string, annotations: JsonObject): boolean {
  const [, denying, failing] = REFUSING.exec(message) ?? [];
  const last = webhookCalls(annotations).at(-1);
  return last !== undefined && !last.isMutated && last.webhook === (denying ?? failing);
}

/** The patches that were recorded, applied again. Undefined if no webhook changed the object. */
export function recordedWebhooks(annotations: JsonObject, version: KubernetesVersion): AdmissionPlugin | undefined {
  const calls = webhookCalls(annotations).filter(({ isMutated }) => isMutated);
  if (calls.length === 0) return undefined;
  return {
    mutate: async (request, reinvocation) => {
      const round = reinvocation.isAgain ? 1 : 0;
      if (calls.some((call) => call.round > round)) reinvocation.isWanted = true;
      return calls.filter((call) => call.round === round).reduce(patchedBy, { request, version }).request.object;
    },
  };
}

interface Patching {
  readonly request: AdmissionRequest;
  readonly version: KubernetesVersion;
}

function patchedBy({ request, version }: Patching, { webhook, patch }: WebhookCall): Patching {
  const { object, kind } = attributesOf(request, "mutating");
  if (!isArray(patch) || !patch.every(isObject) || object === undefined) {
    throw internalError(`the log does not have the patch of the webhook ${webhook}`);
  }
  const { endpoint } = request;
  const isMap = endpoint.type.isCustom && endpoint.subresource?.name !== "scale";
  const operations = readOperations(canonicalJson(patch));
  const result = asVersion(version, () =>
    applyPatch(object, operations, kind, { decode: isMap ? decodePatchedCustom : decodePatchedBuiltin }),
  );
  if (result instanceof StatusError) throw result;
  return { request: { ...request, object: result.object }, version };
}
