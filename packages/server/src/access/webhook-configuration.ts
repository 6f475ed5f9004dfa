/** The part of an authorization configuration about one webhook. */
import {
  duplicate,
  type FieldError,
  invalid,
  notSupported,
  required,
  tooMany,
} from "@portcullis/engine/internal/field/error";
import type { FieldPath } from "@portcullis/engine/internal/field/path";
import { compileAccessCondition } from "@portcullis/engine/internal/policy/access/conditions";
import type { JsonObject, JsonValue } from "@portcullis/engine/internal/value/json";
import { objectOf, objectsOf, textOf } from "@portcullis/engine/internal/value/read";
import { formatDuration, parseDuration } from "@portcullis/gostd/duration";
import { type ConfigurationContext, unknownKeys } from "./configuration-context.ts";
import * as messages from "./messages.ts";
import type { WebhookMode } from "./modes.ts";

// biome-ignore format: a table
const FIELDS = [
  "timeout", "authorizedTTL", "cacheAuthorizedRequests", "unauthorizedTTL", "cacheUnauthorizedRequests",
  "subjectAccessReviewVersion", "matchConditionSubjectAccessReviewVersion", "failurePolicy", "connectionInfo",
  "matchConditions",
];

export function unknownFieldsOfWebhook(webhook: JsonObject, at: string): string[] {
  return [
    ...unknownKeys(webhook, FIELDS, at),
    ...unknownKeys(objectOf(webhook["connectionInfo"]), ["type", "kubeConfigFile"], `${at}connectionInfo.`),
    ...objectsOf(webhook["matchConditions"]).flatMap((condition, index) =>
      unknownKeys(condition, ["expression"], `${at}matchConditions[${index}].`),
    ),
  ];
}

const SECOND = 1_000_000_000n;
const MAX_TIMEOUT = 30n * SECOND;
const DEFAULT_TTL = { authorizedTTL: 300n * SECOND, unauthorizedTTL: 30n * SECOND };
const MAX_CONDITIONS = 64;

export function validateWebhook(webhook: JsonObject, path: FieldPath, context: ConfigurationContext): FieldError[] {
  const timeout = durationOf(webhook["timeout"]);
  const [version, conditionVersion, policy] = [
    "subjectAccessReviewVersion",
    "matchConditionSubjectAccessReviewVersion",
    "failurePolicy",
  ].map((name) => textOf(webhook[name]));
  const conditions = objectsOf(webhook["matchConditions"]);
  return [
    ...validateTimeout(timeout, path.child("timeout")),
    ...validateTtl(webhook, "authorizedTTL", path),
    ...validateTtl(webhook, "unauthorizedTTL", path),
    ...oneOf(version ?? "", ["v1", "v1beta1"], path.child("subjectAccessReviewVersion")),
    ...validateConditionVersion(
      conditionVersion ?? "",
      conditions.length > 0,
      path.child("matchConditionSubjectAccessReviewVersion"),
    ),
    ...oneOf(policy ?? "", ["NoOpinion", "Deny"], path.child("failurePolicy")),
    ...validateConnection(objectOf(webhook["connectionInfo"]), path.child("connectionInfo"), context),
    ...validateConditions(conditions, path.child("matchConditions"), context),
  ];
}

function validateTimeout(timeout: bigint, path: FieldPath): FieldError[] {
  if (timeout === 0n) return [required(path)];
  if (timeout > 0n && timeout <= MAX_TIMEOUT) return [];
  return [invalid(path, formatDuration(timeout), messages.timeoutRange())];
}

function validateTtl(webhook: JsonObject, name: keyof typeof DEFAULT_TTL, path: FieldPath): FieldError[] {
  const ttl = durationOf(webhook[name]);
  return ttl < 0n ? [invalid(path.child(name), formatDuration(ttl), messages.notPositive())] : [];
}

function oneOf(value: string, known: readonly string[], path: FieldPath): FieldError[] {
  if (value === "") return [required(path)];
  return known.includes(value) ? [] : [notSupported(path, value, known)];
}

function validateConditionVersion(version: string, isNeeded: boolean, path: FieldPath): FieldError[] {
  if (version === "") return isNeeded ? [required(path, messages.reviewVersionNeeded())] : [];
  return version === "v1" ? [] : [notSupported(path, version, ["v1"])];
}

const KUBECONFIG = "KubeConfigFile";
const CONNECTIONS = ["InClusterConfig", KUBECONFIG];

function validateConnection(connection: JsonObject, path: FieldPath, context: ConfigurationContext): FieldError[] {
  const [type, file] = [textOf(connection["type"]), textOf(connection["kubeConfigFile"])];
  const at = path.child("kubeConfigFile");
  if (type === "") return [required(path.child("type"))];
  if (!CONNECTIONS.includes(type)) return [notSupported(path.child("type"), type, CONNECTIONS)];
  if (type !== KUBECONFIG) return file === "" ? [] : [invalid(at, file, messages.fileNotAllowed())];
  if (file === "") return [required(at)];
  if (!file.startsWith("/")) return [invalid(at, file, messages.notAbsolute())];
  const problem = context.checkFile(file);
  if (problem === undefined) return [];
  const detail = problem.kind === "irregular" ? messages.notRegular() : messages.fileProblem(problem.problem);
  return [invalid(at, file, detail)];
}

function validateConditions(
  conditions: readonly JsonObject[],
  path: FieldPath,
  { version }: ConfigurationContext,
): FieldError[] {
  if (conditions.length > MAX_CONDITIONS) return [tooMany(path, conditions.length, MAX_CONDITIONS)];
  const seen = new Set<string>();
  return conditions.flatMap((condition, index) => {
    const at = path.index(index).child("expression");
    const expression = textOf(condition["expression"]);
    if (expression.trim() === "") return [required(at)];
    if (seen.has(expression)) return [duplicate(at, expression)];
    seen.add(expression);
    const compiled = compileAccessCondition(expression, version);
    return typeof compiled === "string" ? [invalid(at, expression, compiled)] : [];
  });
}

const MILLION = 1_000_000;

/** A valid one. */
export function readWebhook(name: string, webhook: JsonObject, context: ConfigurationContext): WebhookMode {
  const ttl = (field: keyof typeof DEFAULT_TTL, isKept: JsonValue | undefined): number =>
    isKept === false ? 0 : Number(durationOf(webhook[field]) || DEFAULT_TTL[field]) / MILLION;
  const { connectionInfo, cacheAuthorizedRequests, cacheUnauthorizedRequests, failurePolicy } = webhook;
  return {
    type: "Webhook",
    name,
    connection: context.connect(textOf(objectOf(connectionInfo)["kubeConfigFile"])),
    version: webhook["subjectAccessReviewVersion"] === "v1" ? "v1" : "v1beta1",
    timeoutMs: Number(durationOf(webhook["timeout"])) / MILLION,
    authorizedTtl: ttl("authorizedTTL", cacheAuthorizedRequests),
    unauthorizedTtl: ttl("unauthorizedTTL", cacheUnauthorizedRequests),
    failurePolicy: failurePolicy === "Deny" ? "Deny" : "NoOpinion",
    matchConditions: objectsOf(webhook["matchConditions"]).map(({ expression }) => textOf(expression)),
  };
}

/** Throws an Error where it cannot be read. */
function durationOf(value: JsonValue | undefined): bigint {
  const text = textOf(value);
  const parsed = text === "" ? { value: 0n } : parseDuration(text);
  if (parsed.error !== undefined) throw new Error(messages.notLoaded(parsed.error));
  return parsed.value;
}
