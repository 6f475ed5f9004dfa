/**
 * PodSecurityConfiguration: the defaults for namespaces without labels, and the exemptions.
 *
 * Follows k8s.io/pod-security-admission admission/api.
 */
import { duplicate, type FieldError, invalid } from "../field/error.ts";
import { checkDnsLabel, checkDnsSubdomain } from "../field/names.ts";
import { type FieldPath, newPath } from "../field/path.ts";
import type { JsonObject } from "../value/json.ts";
import { objectOf, textOf, textsOf } from "../value/read.ts";
import {
  type LevelVersion,
  MODES,
  type Mode,
  type PodSecurityPolicy,
  PRIVILEGED_POLICY,
  parseLevel,
  parseVersion,
} from "./level.ts";
import * as messages from "./messages.ts";

export interface PodSecurityConfiguration {
  readonly defaults: PodSecurityPolicy;
  readonly exemptions: Exemptions;
}

export interface Exemptions {
  readonly usernames: readonly string[];
  readonly namespaces: readonly string[];
  readonly runtimeClasses: readonly string[];
}

/** Without a file everything is allowed unless a label is set. */
export const DEFAULT_CONFIGURATION: PodSecurityConfiguration = {
  defaults: PRIVILEGED_POLICY,
  exemptions: { usernames: [], namespaces: [], runtimeClasses: [] },
};

export type ConfigurationResult =
  | { readonly configuration: PodSecurityConfiguration; readonly errors?: undefined }
  | { readonly errors: readonly FieldError[] };

/** `json` is a PodSecurityConfiguration of any version. */
export function readPodSecurityConfiguration(json: JsonObject): ConfigurationResult {
  const defaults = objectOf(json["defaults"]);
  const exemptions = objectOf(json["exemptions"]);
  const read: Exemptions = {
    usernames: textsOf(exemptions["usernames"]),
    namespaces: textsOf(exemptions["namespaces"]),
    runtimeClasses: textsOf(exemptions["runtimeClasses"]),
  };
  const errors = [
    ...(["enforce", "warn", "audit"] as const).flatMap((mode) => validateDefault(defaults, mode)),
    ...validateExemptions(read),
  ];
  if (errors.length > 0) return { errors };
  const [enforce, audit, warn] = MODES.map((mode) => readDefault(defaults, mode));
  const policy = { ...PRIVILEGED_POLICY, ...(enforce && { enforce }), ...(audit && { audit }), ...(warn && { warn }) };
  return { configuration: { defaults: policy, exemptions: read } };
}

function levelText(defaults: JsonObject, mode: Mode): string {
  return textOf(defaults[mode]) || "privileged";
}

function versionText(defaults: JsonObject, mode: Mode): string {
  return textOf(defaults[`${mode}-version`]) || "latest";
}

function readDefault(defaults: JsonObject, mode: Mode): LevelVersion {
  const level = parseLevel(levelText(defaults, mode)) ?? "restricted";
  return { level, version: parseVersion(versionText(defaults, mode)) ?? "latest" };
}

function validateDefault(defaults: JsonObject, mode: Mode): FieldError[] {
  const path = newPath("defaults");
  const [level, version] = [levelText(defaults, mode), versionText(defaults, mode)];
  return [
    ...(parseLevel(level) === undefined ? [invalid(path.child(mode), level, messages.badLevel())] : []),
    ...(parseVersion(version) === undefined
      ? [invalid(path.child(`${mode}-version`), version, messages.badVersion())]
      : []),
  ];
}

function validateExemptions({ usernames, namespaces, runtimeClasses }: Exemptions): FieldError[] {
  const path = newPath("exemptions");
  return [
    ...validateNames(namespaces, path.child("namespaces"), checkDnsLabel),
    ...validateNames(runtimeClasses, path.child("runtimeClasses"), checkDnsSubdomain),
    ...validateNames(usernames, path.child("usernames"), (name) => (name === "" ? [messages.emptyUsername()] : [])),
  ];
}

function validateNames(
  names: readonly string[],
  path: FieldPath,
  check: (name: string) => readonly string[],
): FieldError[] {
  return names.flatMap((name, index) => {
    const problems = check(name);
    if (problems.length > 0) return [invalid(path.index(index), name, problems.join(", "))];
    return names.indexOf(name) < index ? [duplicate(path.index(index), name)] : [];
  });
}
