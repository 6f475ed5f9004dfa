/**
 * The file of `--authorization-config`: authorizers in their order, webhooks among them.
 *
 * Follows kubernetes pkg/kubeapiserver/authorizer and apiserver pkg/apis/apiserver/validation.
 */
import { decodeYaml } from "@portcullis/engine/internal/codec/yaml";
import { duplicate, type FieldError, invalid, notSupported, required } from "@portcullis/engine/internal/field/error";
import { aggregate, formatFieldErrors } from "@portcullis/engine/internal/field/format";
import { checkDnsSubdomain } from "@portcullis/engine/internal/field/names";
import { type FieldPath, nilPath } from "@portcullis/engine/internal/field/path";
import { isObject, type JsonObject } from "@portcullis/engine/internal/value/json";
import { objectOf, objectsOf, textOf } from "@portcullis/engine/internal/value/read";
import { compareStrings } from "@portcullis/gostd/utf8";
import { type ConfigurationContext, unknownKeys } from "./configuration-context.ts";
import * as messages from "./messages.ts";
import type { AuthorizationMode } from "./modes.ts";
import { readWebhook, unknownFieldsOfWebhook, validateWebhook } from "./webhook-configuration.ts";

/** Throws an Error with upstream's message. */
export function readAuthorizationConfiguration(text: string, context: ConfigurationContext): AuthorizationMode[] {
  const configuration = decode(text);
  const authorizers = objectsOf(configuration["authorizers"]);
  const errors = validate(authorizers, context);
  if (errors.length > 0) throw new Error(formatFieldErrors(errors));
  const misnamed = authorizers.flatMap(nameProblem);
  if (misnamed.length > 0) throw new Error(aggregate(misnamed));
  return authorizers.map((authorizer) => modeOf(authorizer, context));
}

const SCHEME = "k8s.io/apiserver/pkg/apis/apiserver/load/load.go:33";
const VERSIONS = ["v1", "v1beta1", "v1alpha1"].map((version) => `apiserver.config.k8s.io/${version}`);
const KIND = "AuthorizationConfiguration";

function decode(text: string): JsonObject {
  const decoded = decodeYaml(text);
  if (decoded.error !== undefined) throw new Error(messages.notLoaded(decoded.error));
  const json = objectOf(isObject(decoded.value) ? decoded.value : undefined);
  const [kind, version] = [textOf(json["kind"]), textOf(json["apiVersion"])];
  if (kind !== KIND || !VERSIONS.includes(version)) {
    throw new Error(messages.notLoaded(messages.unregistered(kind, version, SCHEME)));
  }
  const unknown = unknownFields(json);
  if (unknown.length > 0) throw new Error(messages.notLoaded(messages.unknownFields(unknown)));
  return json;
}

function unknownFields(json: JsonObject): string[] {
  return [
    ...unknownKeys(json, ["apiVersion", "kind", "authorizers"], ""),
    ...objectsOf(json["authorizers"]).flatMap((authorizer, at) => [
      ...unknownKeys(authorizer, ["type", "name", "webhook"], `authorizers[${at}].`),
      ...unknownFieldsOfWebhook(objectOf(authorizer["webhook"]), `authorizers[${at}].webhook.`),
    ]),
  ];
}

const TYPES = ["ABAC", "AlwaysAllow", "AlwaysDeny", "Node", "RBAC", "Webhook"];

function validate(authorizers: readonly JsonObject[], context: ConfigurationContext): FieldError[] {
  const list = nilPath.child("authorizers");
  if (authorizers.length === 0) return [required(list, messages.noAuthorizers())];
  const [types, names] = [new Set<string>(), new Set<string>()];
  return authorizers.flatMap((authorizer, at) => {
    const path = list.index(at);
    const [type, name] = [textOf(authorizer["type"]), textOf(authorizer["name"])];
    const problem = typeProblem(type, types, path.child("type"));
    if (problem !== undefined) return [problem];
    types.add(type);
    const errors = validateName(name, names, path.child("name"));
    names.add(name);
    return [...errors, ...validateParts(type, authorizer, path, context)];
  });
}

function typeProblem(type: string, seen: ReadonlySet<string>, path: FieldPath): FieldError | undefined {
  if (type === "") return required(path);
  if (!TYPES.includes(type)) return notSupported(path, type, TYPES);
  return seen.has(type) && type !== "Webhook" ? duplicate(path, type) : undefined;
}

function validateName(name: string, seen: ReadonlySet<string>, path: FieldPath): FieldError[] {
  if (name === "") return [required(path)];
  if (seen.has(name)) return [duplicate(path, name)];
  const problems = checkDnsSubdomain(name);
  return problems.length === 0 ? [] : [invalid(path, name, messages.invalidName(problems))];
}

function validateParts(
  type: string,
  { webhook }: JsonObject,
  path: FieldPath,
  context: ConfigurationContext,
): FieldError[] {
  const at = path.child("webhook");
  if (type !== "Webhook") return isObject(webhook) ? [invalid(at, "non-null", messages.webhookNotAllowed())] : [];
  // Upstream names fields of the webhook as if they were the authorizer's.
  return isObject(webhook) ? validateWebhook(webhook, path, context) : [required(at, messages.webhookNeeded())];
}

function nameProblem(authorizer: JsonObject): string[] {
  const [type, name] = [textOf(authorizer["type"]), textOf(authorizer["name"])];
  const expected = type.toLowerCase();
  return type === "Webhook" || name === expected ? [] : [messages.expectedName(expected, type, name)];
}

function modeOf(authorizer: JsonObject, context: ConfigurationContext): AuthorizationMode {
  const type = textOf(authorizer["type"]);
  switch (type) {
    case "Webhook":
      return readWebhook(textOf(authorizer["name"]), objectOf(authorizer["webhook"]), context);
    case "ABAC":
      return context.abac();
    case "Node":
    case "RBAC":
    case "AlwaysDeny":
      return type;
    default:
      return "AlwaysAllow";
  }
}

/** Types of the first configuration that a later one lacks; webhooks may come and go. */
export function missingTypes(first: readonly string[], later: readonly string[]): string | undefined {
  const missing = first.filter((type) => type !== "Webhook" && !later.includes(type)).sort(compareStrings);
  return missing.length === 0 ? undefined : messages.missingTypes(missing);
}
