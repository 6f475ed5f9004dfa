/**
 * `spec.conversion`: none, or a webhook reached by URL or through a service.
 *
 * Upstream passes name and namespace of the service in the wrong order: an empty name is reported at `namespace` and an
 * empty namespace at `name`. Follows apiserver pkg/util/webhook/validation.go.
 */
import { parse as parseUrl, type Userinfo } from "@portcullis/gostd/url";
import { escapePart } from "@portcullis/gostd/url-escape";
import { type FieldError, forbidden, invalid, notSupported, required } from "../field/error.ts";
import { checkDns1035Label, checkDnsSubdomain } from "../field/names.ts";
import type { FieldPath } from "../field/path.ts";
import { isArray, isObject, type JsonObject, type JsonValue } from "../value/json.ts";
import { caBundleProblem } from "./ca-bundle.ts";
import { goValue } from "./go-json.ts";
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
  } else if (url !== undefined) errors.push(...checkUrl(url, path.child("url")));
  else if (service !== undefined) errors.push(...checkService(service, path.child("service")));
  const problem = caBundle === "" || options.allowBadCaBundle ? undefined : caBundleProblem(caBundle);
  if (problem !== undefined) errors.push(invalid(path.child("caBundle"), goValue(caBundle), problem, "caBundle"));
  return errors;
}

export function isCaBundleValid(caBundle: string): boolean {
  return caBundleProblem(caBundle) === undefined;
}

/** The bad value is the part of the URL that is wrong. */
function checkUrl(text: string, path: FieldPath): FieldError[] {
  const parsed = parseUrl(text);
  if (parsed.error !== undefined) return [required(path, messages.badUrl(parsed.error), "url")];
  const { url } = parsed;
  const errors: FieldError[] = [];
  if (url.scheme !== "https") errors.push(invalid(path, url.scheme, messages.onlyHttps(), "url"));
  if (url.host === "") errors.push(invalid(path, "", messages.hostRequired(), "url"));
  if (url.user !== undefined) errors.push(invalid(path, formatUser(url.user), messages.noUserInfo(), "url"));
  if (url.fragment !== "") errors.push(invalid(path, url.fragment, messages.noFragment(), "url"));
  if (url.rawQuery !== "") errors.push(invalid(path, url.rawQuery, messages.noQuery(), "url"));
  return errors;
}

function formatUser({ username, password }: Userinfo): string {
  const name = escapePart(username, "userPassword");
  return password === undefined ? name : `${name}:${escapePart(password, "userPassword")}`;
}

function checkService(service: JsonObject, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  if (text(service["namespace"]) === "") errors.push(required(path.child("name"), "", "service"));
  if (text(service["name"]) === "") errors.push(required(path.child("namespace"), "", "service"));
  const port = service["port"] ?? 0;
  if (typeof port !== "number" || port < 1 || port > 65535) {
    errors.push(invalid(path.child("port"), port, messages.badPort(), "port"));
  }
  const urlPath = service["path"];
  return typeof urlPath === "string" ? [...errors, ...checkPath(urlPath, path.child("path"))] : errors;
}

function checkPath(urlPath: string, path: FieldPath): FieldError[] {
  if (urlPath === "/" || urlPath === "") return [];
  if (urlPath === "//") return [invalid(path, urlPath, messages.emptySegment(0), "path")];
  const errors = urlPath.startsWith("/") ? [] : [invalid(path, urlPath, messages.mustStartWithSlash(), "path")];
  // The first character is left out whatever it is.
  const segments = urlPath.slice(1).replace(/\/$/, "").split("/");
  for (const [index, segment] of segments.entries()) {
    const problems =
      segment === ""
        ? [messages.emptySegment(index)]
        : checkDnsSubdomain(segment).map((problem) => messages.badSegment(index, problem));
    errors.push(...problems.map((problem) => invalid(path, urlPath, problem, "path")));
  }
  return errors;
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
    errors.push(invalid(path, [...versions], detail, "conversionReviewVersions"));
  }
  return errors;
}

function text(json: JsonValue | undefined): string {
  return typeof json === "string" ? json : "";
}
