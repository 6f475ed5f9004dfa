/** Reads upgrade policies: our own file, kapp's configuration, crdify's, and acknowledgements. */

import { readInputs } from "@portcullis/checker/internal/input/documents";
import { UsageError } from "@portcullis/checker/internal/input/usage-error";
import type { ManifestDocument } from "@portcullis/checker/internal/report/manifest";
import { placeOf, refuseProblems } from "@portcullis/checker/internal/upgrade/sources";
import { decodeYaml } from "@portcullis/engine/internal/codec/yaml";
import { isCrdifyConfig, parseCrdifyConfig } from "@portcullis/engine/internal/upgrade/policy/crdify";
import {
  DEFAULT_POLICY,
  LEVELS,
  POLICY_API_VERSION,
  POLICY_KIND,
  PROFILES,
  parseAcknowledgements,
  parsePolicy,
  type UpgradePolicy,
} from "@portcullis/engine/internal/upgrade/policy/policy";
import {
  CRD_UPGRADE_SAFETY,
  type PreflightConfig,
  parsePreflight,
} from "@portcullis/engine/internal/upgrade/policy/preflight";
import { isObject, type JsonObject, newObject } from "@portcullis/engine/internal/value/json";
import { labelsOf, objectOf } from "@portcullis/engine/internal/value/read";
import type { OptionSpecs } from "../../frame/option-spec.ts";
import type { Options } from "../../frame/options.ts";

const KAPP_API_VERSION = "kapp.k14s.io/v1alpha1";

const GROUP = "what counts";

export const POLICY_OPTIONS = {
  config: { type: "string", value: "FILE", group: GROUP, text: "an UpgradePolicy, or a configuration of crdify" },
  acks: {
    type: "string",
    multiple: true,
    value: "FILE",
    group: GROUP,
    text: "acknowledgements by fingerprint, with owner, reason and expires",
  },
  profile: {
    type: "string",
    value: "PROFILE",
    values: PROFILES,
    group: GROUP,
    text: "writers (default): what refuses or loses data; readers: new values too; full",
  },
  unknown: {
    type: "string",
    value: "LEVEL",
    values: LEVELS,
    group: GROUP,
    text: "what is neither proved nor shown counts as error (default), warning, note or off",
  },
} as const satisfies OptionSpecs;

/** From `--config`, then overridden by `--profile`, `--unknown` and `--acks`. */
export function readPolicy(options: Options): UpgradePolicy {
  const file = options.text("config");
  const base = file === undefined ? DEFAULT_POLICY : policyOf(onlyDocument(file));
  const profile = pick(options.text("profile") ?? base.profile, PROFILES, "--profile");
  const unknown = pick(options.text("unknown") ?? base.unknown, LEVELS, "--unknown");
  const acknowledgements = [...base.acknowledgements, ...options.texts("acks").flatMap(readAcknowledgements)];
  return { ...base, profile, unknown, acknowledgements };
}

function pick<T extends string>(text: string, allowed: readonly T[], option: string): T {
  const found = allowed.find((each) => each === text);
  if (found === undefined) throw new UsageError(`unknown \`${option} ${text}\`; one of ${allowed.join(", ")}`);
  return found;
}

function policyOf(document: ManifestDocument): UpgradePolicy {
  const { object, id } = document;
  if (isCrdifyConfig(object)) return unwrap(parseCrdifyConfig(object), document);
  if (id.apiVersion !== POLICY_API_VERSION || id.kind !== POLICY_KIND) {
    const found = id.kind === "" ? "this" : `${id.apiVersion} ${id.kind}`;
    throw new UsageError(
      `${placeOf(document)}: ${found} is neither an ${POLICY_KIND} of ${POLICY_API_VERSION} nor a crdify configuration`,
    );
  }
  return unwrap(parsePolicy(object), document);
}

function readAcknowledgements(file: string): UpgradePolicy["acknowledgements"] {
  const document = onlyDocument(file);
  const listed = document.object["acknowledgements"] ?? document.object["acks"];
  if (listed === undefined) throw new UsageError(`${placeOf(document)}: no \`acknowledgements\` in it`);
  return unwrap(parseAcknowledgements(listed), document);
}

/** Configurations of kapp: named with `--kapp-config`, or among the manifests to apply, as kapp finds them. */
export function readPreflight(
  file: string | undefined,
  manifests: readonly ManifestDocument[],
  flags: readonly string[],
): PreflightRun {
  const named = file === undefined ? [] : [onlyDocument(file)];
  for (const document of named) {
    if (document.id.apiVersion !== KAPP_API_VERSION || document.id.kind !== "Config")
      throw new UsageError(`${placeOf(document)}: not a Config of ${KAPP_API_VERSION}`);
  }
  // A configuration about other things says nothing about checks.
  const found = manifests.filter(isKappConfig).map(kappConfigOf);
  const configs = [...named, ...found.filter(({ object }) => object["preflightRules"] !== undefined)];
  const parsed = parsePreflight(
    configs.map(({ object }) => object),
    flags,
  );
  if (parsed.error !== undefined) {
    const [first] = configs;
    throw new UsageError(first === undefined ? parsed.error : `${placeOf(first)}: ${parsed.error}`);
  }
  const { checks, ignored } = parsed.value;
  return { config: checks.get(CRD_UPGRADE_SAFETY), ignored, isAsked: configs.length + flags.length > 0 };
}

/** A Config, or a ConfigMap that is labelled to hold one. */
export function isKappConfig({ id, object }: ManifestDocument): boolean {
  return (
    id.apiVersion === KAPP_API_VERSION || labelsOf(objectOf(object["metadata"])["labels"])[CONFIG_LABEL] !== undefined
  );
}

const CONFIG_LABEL = "kapp.k14s.io/config";
const CONFIG_KEY = "config.yml";

function kappConfigOf(document: ManifestDocument): ManifestDocument {
  const { apiVersion, kind } = document.id;
  if (apiVersion === KAPP_API_VERSION) {
    if (kind === "Config") return document;
    throw new UsageError(`${placeOf(document)}: Expected kapp config to have kind 'Config', but was '${kind}'`);
  }
  const text = objectOf(document.object["data"])[CONFIG_KEY];
  if (apiVersion !== "v1" || kind !== "ConfigMap" || typeof text !== "string") {
    throw new UsageError(`${placeOf(document)}: Expected to find field 'data."${CONFIG_KEY}"', but did not`);
  }
  const decoded = decodeYaml(text);
  if (decoded.error !== undefined) throw new UsageError(`${placeOf(document)}: ${CONFIG_KEY}: ${decoded.error}`);
  return { ...document, object: isObject(decoded.value) ? decoded.value : newObject() };
}

export interface PreflightRun {
  readonly config: PreflightConfig | undefined;
  readonly ignored: readonly string[];
  /** Whether a configuration or a flag decides which checks run. */
  readonly isAsked: boolean;
}

function onlyDocument(file: string): ManifestDocument {
  const { documents, problems } = readInputs([file]);
  refuseProblems(problems, () => {});
  const [document, second] = documents;
  if (document === undefined) throw new UsageError(`${file}: it is empty`);
  if (second !== undefined) throw new UsageError(`${placeOf(second)}: a second document is not expected`);
  return document;
}

function unwrap<T>(
  parsed: { value: T; error?: undefined } | { error: string },
  document: { file: string; object: JsonObject },
): T {
  if (parsed.error !== undefined) throw new UsageError(`${document.file}: ${parsed.error}`);
  return parsed.value;
}
