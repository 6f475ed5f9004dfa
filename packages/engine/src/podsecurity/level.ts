/**
 * Levels and versions of the Pod Security Standards, and the policy in the labels of a namespace.
 *
 * Follows k8s.io/pod-security-admission api/helpers.go.
 */
import { type FieldError, invalid } from "../field/error.ts";
import { newPath } from "../field/path.ts";
import * as messages from "./messages.ts";

export const LEVELS = ["privileged", "baseline", "restricted"] as const;
export type Level = (typeof LEVELS)[number];

/** The minor number of a version `v1.N`. */
export type Version = number | "latest";

export interface LevelVersion {
  readonly level: Level;
  readonly version: Version;
}

export type Mode = "enforce" | "audit" | "warn";

/** The level and version of each mode. */
export type PodSecurityPolicy = Readonly<Record<Mode, LevelVersion>>;

const PRIVILEGED: LevelVersion = { level: "privileged", version: "latest" };
export const PRIVILEGED_POLICY: PodSecurityPolicy = { enforce: PRIVILEGED, audit: PRIVILEGED, warn: PRIVILEGED };

/** `baseline:v1.30`. */
export function formatLevelVersion({ level, version }: LevelVersion): string {
  return `${level}:${formatVersion(version)}`;
}

export function formatVersion(version: Version): string {
  return version === "latest" ? version : `v1.${version}`;
}

/** Undefined if there is no such level. */
export function parseLevel(text: string): Level | undefined {
  return LEVELS.find((level) => level === text);
}

/** Undefined if it is neither `latest` nor `v1.x`. */
export function parseVersion(text: string): Version | undefined {
  if (text === "latest") return "latest";
  const minor = /^v1\.([0-9]|[1-9][0-9]*)$/.exec(text)?.[1];
  if (minor === undefined || BigInt(minor) > MAX_INT) return undefined;
  return Number(minor);
}

const MAX_INT = 2n ** 63n - 1n;

/** Negative if the first is less strict. */
export function compareLevels(left: Level, right: Level): number {
  return LEVELS.indexOf(left) - LEVELS.indexOf(right);
}

export function sameLevelVersion(left: LevelVersion, right: LevelVersion): boolean {
  return left.level === right.level && left.version === right.version;
}

export function isFullyPrivileged({ enforce, audit, warn }: PodSecurityPolicy): boolean {
  return [enforce, audit, warn].every(({ level }) => level === "privileged");
}

/** Whether two policies have the same effect: the version of `privileged` does not matter. */
export function isEquivalent(left: PodSecurityPolicy, right: PodSecurityPolicy): boolean {
  return MODES.every((mode) => {
    const [one, other] = [left[mode], right[mode]];
    return (one.level === "privileged" && other.level === "privileged") || sameLevelVersion(one, other);
  });
}

export const MODES: readonly Mode[] = ["enforce", "audit", "warn"];
export const LABEL_PREFIX = "pod-security.kubernetes.io/";

export const levelLabel = (mode: Mode): string => `${LABEL_PREFIX}${mode}`;
export const versionLabel = (mode: Mode): string => `${LABEL_PREFIX}${mode}-version`;

export type Labels = Readonly<Record<string, string>>;

export interface NamespacePolicy {
  /** Usable even if there are errors. */
  readonly policy: PodSecurityPolicy;
  readonly errors: readonly FieldError[];
}

/**
 * The policy of a namespace. An invalid level becomes `restricted` for `enforce` and `privileged` for the others; an
 * invalid version becomes the latest. Warnings use the enforced level unless a label sets another.
 */
export function policyOf(labels: Labels, defaults: PodSecurityPolicy): NamespacePolicy {
  const errors: FieldError[] = [];
  const read = (mode: Mode): LevelVersion => ({
    level: readLabel(labels, levelLabel(mode), defaults[mode].level, {
      parse: parseLevel,
      problem: messages.badLevel(),
      fallback: mode === "enforce" ? "restricted" : "privileged",
      errors,
    }),
    version: readLabel(labels, versionLabel(mode), defaults[mode].version, {
      parse: parseVersion,
      problem: messages.badVersion(),
      fallback: "latest" as const,
      errors,
    }),
  });
  const [enforce, audit, warn] = [read("enforce"), read("audit"), read("warn")];
  return { policy: { enforce, audit, warn: warnLevel(labels, enforce, warn) }, errors };
}

interface LabelReading<T> {
  readonly parse: (text: string) => T | undefined;
  readonly problem: string;
  readonly fallback: T;
  readonly errors: FieldError[];
}

function readLabel<T>(labels: Labels, label: string, unset: T, reading: LabelReading<T>): T {
  const text = labels[label];
  if (text === undefined) return unset;
  const parsed = reading.parse(text);
  if (parsed !== undefined) return parsed;
  reading.errors.push(invalid(newPath("metadata", "labels").key(label), text, reading.problem));
  return reading.fallback;
}

function warnLevel(labels: Labels, enforce: LevelVersion, warn: LevelVersion): LevelVersion {
  const isEnforced = parseLevel(labels[levelLabel("enforce")] ?? "") !== undefined;
  const hasWarn = labels[levelLabel("warn")] !== undefined;
  if (hasWarn || !isEnforced || compareLevels(enforce.level, warn.level) <= 0) return warn;
  const hasVersion = labels[versionLabel("warn")] !== undefined;
  return { level: enforce.level, version: hasVersion ? warn.version : enforce.version };
}
