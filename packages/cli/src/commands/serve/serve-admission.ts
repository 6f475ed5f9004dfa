/**
 * The admission flags of kube-apiserver: which plugins run, and the file with their configurations.
 *
 * Follows apiserver pkg/admission/config.go and the configuration of each plugin. Errors have upstream's messages.
 */
import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { type EventLimit, LIMIT_TYPES } from "@portcullis/engine/internal/admission/optional/event-rate-limit";
import { decodeYaml } from "@portcullis/engine/internal/codec/yaml";
import { aggregate, formatFieldErrors } from "@portcullis/engine/internal/field/format";
import { readPodSecurityConfiguration } from "@portcullis/engine/internal/podsecurity/configuration";
import type { LimitedResource } from "@portcullis/engine/internal/quota/check";
import { readScope } from "@portcullis/engine/internal/quota/scopes";

import { isObject, type JsonObject, type JsonValue } from "@portcullis/engine/internal/value/json";
import { objectsOf, textOf, textsOf } from "@portcullis/engine/internal/value/read";
import { quote } from "@portcullis/gostd/quote";
import type { ServerOptions, StaticManifests, StaticPlugin } from "@portcullis/server";
import { isKnownPlugin, openManifests, selectPlugins } from "@portcullis/server/internal";
import { readTolerations } from "./serve-tolerations.ts";
import { readWebhookUsers } from "./serve-webhook-users.ts";

export interface AdmissionFlags {
  readonly enable: readonly string[];
  readonly disable: readonly string[];
  readonly configFile: string | undefined;
  /** Whether the gate `ManifestBasedAdmissionControlConfig` is on. */
  readonly allowsManifests: boolean;
}

type AdmissionOptions = Pick<
  ServerOptions,
  | "admissionPlugins"
  | "podSecurity"
  | "limitedResources"
  | "staticManifests"
  | "eventLimits"
  | "nodeSelectors"
  | "podTolerations"
  | "webhookCredentials"
>;

/** Throws an Error with upstream's message. */
export function readAdmission({ enable, disable, configFile, allowsManifests }: AdmissionFlags): AdmissionOptions {
  const isOn = selectPlugins({ enable, disable });
  const options: Mutable<AdmissionOptions> = { admissionPlugins: { enable, disable } };
  try {
    if (configFile === undefined) return checkLimits(options, isOn);
    for (const { name, configuration } of readPlugins(configFile)) {
      if (isKnownPlugin(name) && isOn(name))
        Object.assign(options, configure(name, configuration, { allowsManifests, before: options }));
    }
    return checkLimits(options, isOn);
  } catch (error) {
    throw new Error(`failed to apply admission: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** This plugin does not work without a configuration. */
function checkLimits(options: AdmissionOptions, isOn: (plugin: string) => boolean): AdmissionOptions {
  if (options.eventLimits !== undefined || !isOn("EventRateLimit")) return options;
  throw new Error(`couldn't init admission plugin "EventRateLimit": ${NO_LIMITS}`);
}

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

interface PluginConfiguration {
  readonly name: string;
  readonly configuration: JsonObject;
}

const VERSIONS = ["apiserver.config.k8s.io/v1", "apiserver.config.k8s.io/v1alpha1", "apiserver.k8s.io/v1alpha1"];

/** Of several entries for a plugin the first counts. */
function readPlugins(file: string): PluginConfiguration[] {
  const json = readDocument(
    file,
    (problem) =>
      `failed to read plugin config: unable to read admission control configuration from ${quote(file)} [${problem}]`,
  );
  checkKind(json, "AdmissionConfiguration", VERSIONS, "failed to read plugin config: ");
  checkFields(json, ["apiVersion", "kind", "plugins"], "failed to read plugin config: ");
  const found = new Map<string, PluginConfiguration>();
  for (const plugin of objectsOf(json["plugins"])) {
    const name = textOf(plugin["name"]);
    if (found.has(name)) continue;
    const configuration = isObject(plugin["configuration"])
      ? plugin["configuration"]
      : readNested(textOf(plugin["path"]), file);
    if (configuration !== undefined) found.set(name, { name, configuration });
  }
  return [...found.values()];
}

/** The path is relative to the file that names it. */
function readNested(nested: string, file: string): JsonObject | undefined {
  if (nested === "") return undefined;
  return readDocument(
    path.resolve(path.dirname(file), nested),
    (problem) => `couldn't open admission plugin configuration ${nested}: ${problem}`,
  );
}

export function readDocument(file: string, explain: (problem: string) => string): JsonObject {
  const decoded = decodeYaml(readText(file, explain));
  if (decoded.error !== undefined) throw new Error(explain(decoded.error));
  return isObject(decoded.value) ? decoded.value : Object.create(null);
}

function readText(file: string, explain: (problem: string) => string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new Error(explain(`open ${file}: ${systemProblem(error)}`));
  }
}

/** As Go describes it. */
function systemProblem(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : "";
  if (code === "ENOENT") return "no such file or directory";
  if (code === "EACCES") return "permission denied";
  return code === "EISDIR" ? "is a directory" : String(error);
}

interface Context {
  readonly allowsManifests: boolean;
  readonly before: AdmissionOptions;
}

function configure(name: string, configuration: JsonObject, context: Context): AdmissionOptions {
  const read = READERS[name];
  try {
    if (read === undefined) throw new Error("its configuration is not supported");
    return read(configuration, context);
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    throw new Error(`couldn't init admission plugin ${quote(name)}: ${problem}`);
  }
}

const READERS: Readonly<Record<string, (configuration: JsonObject, context: Context) => AdmissionOptions>> = {
  EventRateLimit: readEventLimits,
  PodNodeSelector: readNodeSelectors,
  PodSecurity: readPodSecurity,
  PodTolerationRestriction: (json) => {
    checkKind(json, "Configuration", TOLERATIONS);
    return { podTolerations: readTolerations(json) };
  },
  ResourceQuota: readQuota,
  ValidatingAdmissionPolicy: readManifests("ValidatingAdmissionPolicy", "ValidatingAdmissionPolicyConfiguration"),
  MutatingAdmissionPolicy: readManifests("MutatingAdmissionPolicy", "MutatingAdmissionPolicyConfiguration"),
  ValidatingAdmissionWebhook: readManifests("ValidatingAdmissionWebhook", "WebhookAdmissionConfiguration"),
  MutatingAdmissionWebhook: readManifests("MutatingAdmissionWebhook", "WebhookAdmissionConfiguration"),
};

const POD_SECURITY = ["v1", "v1beta1", "v1alpha1"].map((version) => `pod-security.admission.config.k8s.io/${version}`);
const DEFAULTS = ["enforce", "audit", "warn"].flatMap((mode) => [mode, `${mode}-version`]);

function readPodSecurity(json: JsonObject): AdmissionOptions {
  checkKind(json, "PodSecurityConfiguration", POD_SECURITY);
  checkFields(json, ["apiVersion", "kind", "defaults", "exemptions"]);
  checkFields(json["defaults"], DEFAULTS, "", "defaults.");
  checkFields(json["exemptions"], ["usernames", "namespaces", "runtimeClasses"], "", "exemptions.");
  const result = readPodSecurityConfiguration(json);
  if (result.errors !== undefined) throw new Error(formatFieldErrors(result.errors));
  return { podSecurity: result.configuration };
}

const QUOTA = [
  ...VERSIONS.slice(0, 1),
  ...["v1beta1", "v1alpha1"].map((version) => `resourcequota.admission.k8s.io/${version}`),
];

function readQuota(json: JsonObject): AdmissionOptions {
  const isFirst = textOf(json["apiVersion"]) === QUOTA[0];
  checkKind(json, isFirst ? "ResourceQuotaConfiguration" : "Configuration", QUOTA);
  checkFields(json, ["apiVersion", "kind", "limitedResources"]);
  const limited = objectsOf(json["limitedResources"]);
  const missing = limited.flatMap((each, at) =>
    textOf(each["resource"]) === "" ? [`limitedResources[${at}].resource: Required value`] : [],
  );
  if (missing.length > 0) throw new Error(aggregate(missing));
  return { limitedResources: limited.map(readLimited) };
}

function readLimited(json: JsonObject): LimitedResource {
  return {
    group: textOf(json["apiGroup"]),
    plural: textOf(json["resource"]),
    matchContains: textsOf(json["matchContains"]),
    matchScopes: objectsOf(json["matchScopes"]).map(readScope),
  };
}

const EVENT_LIMITS = ["eventratelimit.admission.k8s.io/v1alpha1"];

function readEventLimits(json: JsonObject): AdmissionOptions {
  checkKind(json, "Configuration", EVENT_LIMITS);
  checkFields(json, ["apiVersion", "kind", "limits"]);
  const limits = objectsOf(json["limits"]).map((limit, at) => {
    checkFields(limit, ["type", "qps", "burst", "cacheSize"], "", `limits[${at}].`);
    return limit;
  });
  const noLimits = json["limits"] === undefined || json["limits"] === null ? NO_LIMITS : EMPTY_LIMITS;
  const problems = limits.length === 0 ? [noLimits] : limits.flatMap(limitProblems);
  if (problems.length > 0) throw new Error(aggregate(problems));
  return { eventLimits: limits.map(readLimit) };
}

const NO_LIMITS = "limits: Invalid value: null: must not be empty";
const EMPTY_LIMITS = "limits: Invalid value: []: must not be empty";

function limitProblems(limit: JsonObject, at: number): string[] {
  const [type, place] = [textOf(limit["type"]), `limits[${at}]`];
  const isKnown = LIMIT_TYPES.some((each) => each === type);
  const values = LIMIT_TYPES.map((each) => quote(each)).sort();
  const number = (key: string): number => Number(limit[key] ?? 0);
  const notPositive = ["burst", "qps"].filter((key) => number(key) <= 0);
  const isNegative = type !== "Server" && number("cacheSize") < 0;
  return [
    ...(isKnown ? [] : [`${place}.type: Unsupported value: ${quote(type)}: supported values: ${values.join(", ")}`]),
    ...notPositive.map((key) => `${place}.${key}: Invalid value: ${number(key)}: must be positive`),
    ...(isNegative ? [`${place}.cacheSize: Invalid value: ${number("cacheSize")}: must not be negative`] : []),
  ];
}

function readLimit(limit: JsonObject): EventLimit {
  const type = LIMIT_TYPES.find((each) => each === limit["type"]) ?? "Server";
  const [qps = 0, burst = 0, cacheSize = 0] = ["qps", "burst", "cacheSize"].map((key) => Number(limit[key] ?? 0));
  return { type, qps, burst, cacheSize };
}

/** This configuration has no kind, and unknown fields are ignored. */
function readNodeSelectors(json: JsonObject): AdmissionOptions {
  const selectors = json["podNodeSelectorPluginConfig"];
  const texts = Object.entries(isObject(selectors) ? selectors : {}).map(([key, value]) => [key, textOf(value)]);
  return { nodeSelectors: Object.fromEntries(texts) };
}

const TOLERATIONS = ["podtolerationrestriction.admission.k8s.io/v1alpha1"];

function readManifests(plugin: StaticPlugin, kind: string) {
  const isWebhook = kind === "WebhookAdmissionConfiguration";
  return (json: JsonObject, { allowsManifests, before }: Context): AdmissionOptions => {
    checkKind(json, kind, isWebhook ? [...VERSIONS, "apiserver.config.k8s.io/v1alpha1"] : VERSIONS.slice(0, 1));
    checkFields(json, ["apiVersion", "kind", "staticManifestsDir", ...(isWebhook ? ["kubeConfigFile"] : [])]);
    const credentials = isWebhook ? readCredentials(plugin, textOf(json["kubeConfigFile"]), before) : {};
    const directory = textOf(json["staticManifestsDir"]);
    if (directory === "") return credentials;
    checkDirectory(directory, allowsManifests);
    const all: readonly StaticManifests[] = before.staticManifests ?? [];
    return { ...credentials, staticManifests: [...all, openManifests(plugin, directory)] };
  };
}

/** The users for the webhooks of one plugin; each plugin names a kubeconfig of its own. */
function readCredentials(plugin: StaticPlugin, file: string, before: AdmissionOptions): AdmissionOptions {
  if (file === "") return {};
  if (!path.posix.isAbsolute(file)) {
    throw new Error(`kubeConfigFile: Invalid value: ${quote(file)}: must be an absolute file path`);
  }
  const key = plugin === "MutatingAdmissionWebhook" ? "mutating" : "validating";
  const users = readWebhookUsers(
    file,
    readDocument(file, (problem) => problem),
  );
  return { webhookCredentials: { ...before.webhookCredentials, [key]: users } };
}

const GATE = "staticManifestsDir requires the ManifestBasedAdmissionControlConfig feature gate to be enabled";

function checkDirectory(directory: string, isAllowed: boolean): void {
  if (!isAllowed) throw new Error(`staticManifestsDir: Forbidden: ${GATE}`);
  const invalid = (problem: string): Error =>
    new Error(`staticManifestsDir: Invalid value: ${quote(directory)}: ${problem}`);
  if (!path.posix.isAbsolute(directory)) throw invalid("must be an absolute file path");
  const found = statOrProblem(directory);
  if (typeof found === "string") throw invalid(`unable to read: stat ${directory}: ${found}`);
  if (!found.isDirectory()) throw invalid("must be a directory");
}

function statOrProblem(directory: string) {
  try {
    return statSync(directory);
  } catch (error) {
    return systemProblem(error);
  }
}

export function checkKind(json: JsonObject, kind: string, versions: readonly string[], prefix = ""): void {
  const [found, apiVersion] = [textOf(json["kind"]), textOf(json["apiVersion"])];
  if (found === kind && versions.includes(apiVersion)) return;
  throw new Error(`${prefix}no kind ${quote(found)} is registered for version ${quote(apiVersion)}`);
}

/** The decoders of configurations are strict. */
export function checkFields(json: JsonValue | undefined, known: readonly string[], prefix = "", at = ""): void {
  const unknown = Object.keys(isObject(json) ? json : {}).filter((key) => !known.includes(key));
  if (unknown.length === 0) return;
  const problems = unknown.map((key) => `unknown field ${quote(at + key)}`);
  throw new Error(`${prefix}strict decoding error: ${problems.join(", ")}`);
}
