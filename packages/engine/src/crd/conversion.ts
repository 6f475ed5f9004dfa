/**
 * `spec.conversion`: none, or a webhook reached by URL or through a service.
 */
import { type FieldError, forbidden, invalid, notSupported, required } from "../field/error.ts";
import { checkDns1035Label } from "../field/names.ts";
import type { FieldPath } from "../field/path.ts";
import { checkWebhookService, checkWebhookUrl } from "../field/webhook-client.ts";
import { isArray, isObject, type JsonObject, type JsonValue } from "../value/json.ts";
import { caBundleProblem } from "./ca-bundle.ts";
import { goBytes, goTexts } from "./go-json.ts";
import * as messages from "./messages.ts";

export interface Conversion {
  readonly strategy: string;
  readonly client: ConversionClient | undefined;
  readonly reviewVersions: readonly string[];
}

export interface ConversionClient {
  readonly url: string | undefined;
  readonly service: JsonObject | undefined;
  /** Base64; "" without one. */
  readonly caBundle: string;
}

export function readConversion(json: JsonObject | undefined): Conversion | undefined {
  if (json === undefined) return undefined;
  const webhook = isObject(json["webhook"]) ? json["webhook"] : undefined;
  const client = webhook?.["clientConfig"];
  const versions = webhook?.["conversionReviewVersions"];
  return {
    strategy: text(json["strategy"]),
    client: isObject(client) ? readClient(client) : undefined,
    reviewVersions: isArray(versions) ? versions.map(text) : [],
  };
}

function readClient(json: JsonObject): ConversionClient {
  const { url, service } = json;
  return {
    url: typeof url === "string" ? url : undefined,
    service: isObject(service) ? service : undefined,
    caBundle: text(json["caBundle"]),
  };
}

export interface ConversionOptions {
  readonly requireReviewVersion: boolean;
  readonly allowBadCaBundle: boolean;
}

const STRATEGIES = ["None", "Webhook"];

export function validateConversion(conversion: Conversion, path: FieldPath, options: ConversionOptions): FieldError[] {
  const errors = checkStrategy(conversion.strategy, path.child("strategy"));
  const [clientPath, versionsPath] = [path.child("webhookClientConfig"), path.child("conversionReviewVersions")];
  const { client, reviewVersions } = conversion;
  if (conversion.strategy !== "Webhook") {
    if (client !== undefined) errors.push(forbidden(clientPath, messages.webhookNotUsed(), "conversion"));
    if (reviewVersions.length > 0) errors.push(forbidden(versionsPath, messages.webhookNotUsed(), "conversion"));
    return errors;
  }
  if (client === undefined) errors.push(required(clientPath, messages.webhookRequired(), "conversion"));
  else errors.push(...checkClient(client, clientPath, options));
  return [...errors, ...checkReviewVersions(reviewVersions, versionsPath, options)];
}

function checkStrategy(strategy: string, path: FieldPath): FieldError[] {
  if (strategy === "") return [required(path, "", "strategy")];
  return STRATEGIES.includes(strategy) ? [] : [notSupported(path, strategy, STRATEGIES, "strategy")];
}

function checkClient(client: ConversionClient, path: FieldPath, options: ConversionOptions): FieldError[] {
  const errors: FieldError[] = [];
  const { url, service, caBundle } = client;
  if ((url === undefined) === (service === undefined)) {
    errors.push(required(path, messages.urlOrService(), "conversion"));
  } else if (url !== undefined) errors.push(...checkWebhookUrl(url, path.child("url")));
  else if (service !== undefined) errors.push(...checkWebhookService(service, path.child("service")));
  const problem = caBundle === "" || options.allowBadCaBundle ? undefined : caBundleProblem(caBundle);
  if (problem !== undefined) errors.push(invalid(path.child("caBundle"), goBytes(caBundle), problem, "caBundle"));
  return errors;
}

export function isCaBundleValid(caBundle: string): boolean {
  return caBundleProblem(caBundle) === undefined;
}

const REVIEW_VERSIONS = ["v1", "v1beta1"];

export function hasAcceptedReviewVersion(versions: readonly string[]): boolean {
  return versions.some((version) => REVIEW_VERSIONS.includes(version));
}

function checkReviewVersions(versions: readonly string[], path: FieldPath, options: ConversionOptions): FieldError[] {
  if (versions.length === 0) return [required(path, "", "conversionReviewVersions")];
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  for (const [index, version] of versions.entries()) {
    const problems = seen.has(version) ? [messages.duplicateVersion()] : checkDns1035Label(version);
    errors.push(...problems.map((problem) => invalid(path.index(index), version, problem, "conversionReviewVersions")));
    seen.add(version);
  }
  if (options.requireReviewVersion && !hasAcceptedReviewVersion(versions)) {
    const detail = messages.noReviewVersion(REVIEW_VERSIONS);
    errors.push(invalid(path, goTexts([...versions]), detail, "conversionReviewVersions"));
  }
  return errors;
}

function text(json: JsonValue | undefined): string {
  return typeof json === "string" ? json : "";
}
