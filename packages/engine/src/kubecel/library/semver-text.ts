/**
 * Semantic versions as the Go library blang/semver reads and orders them.
 *
 * Its messages are kept verbatim, its order too: build metadata does not count, numbers are uint64.
 */
import type { Result } from "@portcullis/gostd/result";
import { parseUint } from "@portcullis/gostd/strconv";
import { compareStrings } from "@portcullis/gostd/utf8";
import { semverMessages } from "../messages.ts";

export interface Semver {
  readonly major: bigint;
  readonly minor: bigint;
  readonly patch: bigint;
  /** Numbers sort before words. */
  readonly prerelease: readonly (bigint | string)[];
  readonly build: readonly string[];
}

const DIGITS = /^[0-9]*$/;
const ALPHANUMERIC = /^[0-9a-zA-Z-]*$/;

export function parseSemver(text: string): Result<Semver> {
  if (text === "") return { error: semverMessages.empty };
  const elements = splitInThree(text);
  const [majorText, minorText, rest] = elements;
  if (majorText === undefined || minorText === undefined || rest === undefined) {
    return { error: semverMessages.missingElements };
  }
  const major = parseNumber("major", "Major number", majorText);
  if (major.error !== undefined) return major;
  const minor = parseNumber("minor", "Minor number", minorText);
  if (minor.error !== undefined) return minor;
  const [beforeBuild, build] = cut(rest, "+");
  const [patchText, prerelease] = cut(beforeBuild, "-");
  const patch = parseNumber("patch", "Patch number", patchText);
  if (patch.error !== undefined) return patch;
  const numbers = { major: major.value, minor: minor.value, patch: patch.value };
  return withSuffixes(numbers, prerelease?.split(".") ?? [], build?.split(".") ?? []);
}

/** Accepts a leading `v`, leading zeroes, and missing minor and patch numbers. */
export function parseTolerantSemver(text: string): Result<Semver> {
  const elements = splitInThree(text.startsWith("v") ? text.slice(1) : text).map(withoutLeadingZeroes);
  if (elements.length < 3) {
    if (/[+-]/.test(elements.at(-1) ?? "")) return { error: semverMessages.shortWithMetadata };
    while (elements.length < 3) elements.push("0");
  }
  return parseSemver(elements.join("."));
}

/** -1, 0 or 1. */
export function compareSemver(left: Semver, right: Semver): number {
  return (
    compareNumbers(left.major, right.major) ||
    compareNumbers(left.minor, right.minor) ||
    compareNumbers(left.patch, right.patch) ||
    comparePrereleases(left.prerelease, right.prerelease)
  );
}

export function formatSemver({ major, minor, patch, prerelease, build }: Semver): string {
  const suffix = prerelease.length > 0 ? `-${prerelease.join(".")}` : "";
  return `${major}.${minor}.${patch}${suffix}${build.length > 0 ? `+${build.join(".")}` : ""}`;
}

type Numbers = Pick<Semver, "major" | "minor" | "patch">;

function withSuffixes(numbers: Numbers, prerelease: readonly string[], build: readonly string[]): Result<Semver> {
  const identifiers: (bigint | string)[] = [];
  for (const text of prerelease) {
    const identifier = parsePrerelease(text);
    if (identifier.error !== undefined) return identifier;
    identifiers.push(identifier.value);
  }
  for (const text of build) {
    if (text === "") return { error: semverMessages.emptyBuild };
    if (!ALPHANUMERIC.test(text)) return { error: semverMessages.invalidBuild(text) };
  }
  return { value: { ...numbers, prerelease: identifiers, build } };
}

function parsePrerelease(text: string): Result<bigint | string> {
  if (text === "") return { error: semverMessages.emptyPrerelease };
  if (DIGITS.test(text)) {
    if (hasLeadingZeroes(text)) return { error: semverMessages.leadingZeroes("Numeric PreRelease version", text) };
    return parseUint(text, 10, 64);
  }
  return ALPHANUMERIC.test(text) ? { value: text } : { error: semverMessages.invalidPrerelease(text) };
}

function parseNumber(part: string, subject: string, text: string): Result<bigint> {
  if (!DIGITS.test(text)) return { error: semverMessages.invalidNumber(part, text) };
  if (hasLeadingZeroes(text)) return { error: semverMessages.leadingZeroes(subject, text) };
  return parseUint(text, 10, 64);
}

function hasLeadingZeroes(text: string): boolean {
  return text.length > 1 && text.startsWith("0");
}

function splitInThree(text: string): string[] {
  const elements = text.split(".");
  return elements.length <= 3 ? elements : [...elements.slice(0, 2), elements.slice(2).join(".")];
}

function withoutLeadingZeroes(element: string): string {
  if (element.length < 2) return element;
  const trimmed = element.replace(/^0+/, "");
  return /^[0-9]/.test(trimmed) ? trimmed : `0${trimmed}`;
}

function cut(text: string, separator: string): [before: string, after: string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

function compareNumbers(left: bigint, right: bigint): number {
  if (left === right) return 0;
  return left > right ? 1 : -1;
}

// A version without a prerelease comes after those with one; of two that agree, the longer one does.
function comparePrereleases(left: readonly (bigint | string)[], right: readonly (bigint | string)[]): number {
  if (left.length === 0 || right.length === 0) return Math.sign(right.length - left.length);
  for (const [index, mine] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    const order = compareIdentifiers(mine, other);
    if (order !== 0) return order;
  }
  return left.length === right.length ? 0 : -1;
}

function compareIdentifiers(left: bigint | string, right: bigint | string): number {
  if (typeof left === "bigint") return typeof right === "bigint" ? compareNumbers(left, right) : -1;
  return typeof right === "bigint" ? 1 : Math.sign(compareStrings(left, right));
}
