/**
 * Conversion of custom resources by the webhook that their definition names: one object a review, as upstream does.
 *
 * Follows apiextensions pkg/apiserver/conversion/webhook_converter.go.
 */

import { type Conversion, type ConversionClient, readConversion } from "@portcullis/engine/internal/crd/conversion";
import type { CustomResourceDefinition } from "@portcullis/engine/internal/crd/definition";
import type { ResourceConverter } from "@portcullis/engine/internal/review/kinds/compiled-versions";
import { bareError } from "@portcullis/engine/internal/status/error";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { textOf } from "@portcullis/engine/internal/value/metadata";
import type { WebhookAnswer } from "@portcullis/engine/internal/webhooks/answer";
import { decodeBase64 } from "@portcullis/gostd/base64";
import { decodeUtf8 } from "@portcullis/gostd/utf8";
import type { ConversionFailure, ConversionMetrics } from "../observe/conversion-metrics.ts";
import { webhookAddress } from "./address.ts";
import { type CallWebhook, type WebhookRequest, WebhookUnreachable } from "./call-webhook.ts";
import { acceptConverted } from "./converted.ts";
import * as messages from "./messages.ts";
import { chooseReviewVersion, decodeReview, encodeReview, type ReviewRequest } from "./review.ts";
import type { ResolveService, ServiceReference } from "./services.ts";

/** What all conversions of a server share. */
export interface WebhookContext {
  readonly call: CallWebhook;
  readonly resolve: ResolveService;
  readonly uid: () => string;
  readonly metrics: ConversionMetrics;
}

/** Undefined where versions differ in nothing but their name. */
export function webhookConverter(
  definition: CustomResourceDefinition,
  context: WebhookContext,
): ResourceConverter | undefined {
  const conversion = readConversion(definition.conversion);
  if (conversion?.strategy !== "Webhook" || conversion.client === undefined) return undefined;
  const { client } = conversion;
  return { convert: (object, apiVersion) => convert({ definition, conversion, client, context }, object, apiVersion) };
}

interface Converting {
  readonly definition: CustomResourceDefinition;
  readonly conversion: Conversion;
  readonly client: ConversionClient;
  readonly context: WebhookContext;
}

class ConversionError extends Error {
  readonly failure: ConversionFailure;

  constructor(message: string, failure: ConversionFailure) {
    super(message);
    this.failure = failure;
  }
}

async function convert(converting: Converting, object: JsonObject, apiVersion: string): Promise<JsonObject> {
  const { metrics } = converting.context;
  const [from, to] = [versionOf(textOf(object["apiVersion"])), versionOf(apiVersion)];
  const observe = metrics.begin(converting.definition.name, from, to);
  try {
    const converted = await review(converting, object, apiVersion);
    observe(undefined);
    return converted;
  } catch (error) {
    if (!(error instanceof ConversionError)) throw error;
    observe(error.failure);
    throw bareError(error.message);
  }
}

function versionOf(apiVersion: string): string {
  return apiVersion.split("/").at(-1) ?? "";
}

async function review(converting: Converting, object: JsonObject, apiVersion: string): Promise<JsonObject> {
  const { conversion, context } = converting;
  const version = chooseReviewVersion(conversion.reviewVersions);
  if (version === undefined) throw new ConversionError(messages.noReviewVersion(), "call");
  const request: ReviewRequest = { version, uid: context.uid(), desiredApiVersion: apiVersion, object };
  const kind = `${textOf(object["apiVersion"])}, Kind=${textOf(object["kind"])}`;
  const result = decodeReview(await post(converting, encodeReview(request), kind), request);
  if (result.error !== undefined) {
    throw new ConversionError(messages.callFailed(kind, result.error), result.isMalformed ? "malformed" : "call");
  }
  const [first = null, ...more] = result.objects;
  const count = result.objects.length;
  if (count === 0 || more.length > 0) throw new ConversionError(messages.wrongCount(kind, count), "partial");
  const accepted = acceptConverted(first, object, apiVersion, kind);
  if (accepted.error !== undefined) throw new ConversionError(accepted.error, "invalid");
  return accepted.object;
}

async function post({ client, context }: Converting, body: string, kind: string): Promise<WebhookAnswer> {
  const url = addressOf(client);
  try {
    const connect = client.service && (await context.resolve(readService(client.service)));
    return await context.call({ url, connect, ca: authorityOf(client), body } satisfies WebhookRequest);
  } catch (error) {
    if (!(error instanceof WebhookUnreachable)) throw error;
    const reason = error.isComplete ? error.message : messages.posting(url, error.message);
    throw new ConversionError(messages.callFailed(kind, reason), "call");
  }
}

/** The time that the client gives the webhook, and says so. */
const TIMEOUT = "30s";

function addressOf({ url, service }: ConversionClient): string {
  const path = textOf(service?.["path"]);
  return webhookAddress({ url, service: service && { ...readService(service), path } }, TIMEOUT);
}

const DEFAULT_PORT = 443;

function readService(service: JsonObject): ServiceReference {
  const port = service["port"];
  return {
    name: textOf(service["name"]),
    namespace: textOf(service["namespace"]),
    port: typeof port === "number" ? port : DEFAULT_PORT,
  };
}

function authorityOf({ caBundle }: ConversionClient): string | undefined {
  const decoded = decodeBase64(caBundle);
  const text = decoded.error === undefined ? decodeUtf8(decoded.value) : "";
  return text.trim() === "" ? undefined : text;
}
