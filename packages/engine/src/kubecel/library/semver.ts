/**
 * Semantic versions. Follows apiserver pkg/cel/library/semverlib.go, version 1: a second argument `true` normalises.
 *
 * The numbers are uint64 but CEL sees them as int64, so a huge one turns negative, as upstream has it.
 */
import {
  BOOL,
  CelError,
  fn,
  global,
  INT,
  type Library,
  method,
  normalInt,
  noSuchOverload,
  OpaqueValue,
  objectType,
  STRING,
  type Type,
  type Value,
} from "@portcullis/cel";
import { onOne, onTwo, unfit } from "./operands.ts";
import { compareSemver, parseSemver, parseTolerantSemver, type Semver } from "./semver-text.ts";

export const SEMVER_TYPE: Type = objectType("kubernetes.Semver");

export class SemverValue extends OpaqueValue {
  readonly type = SEMVER_TYPE;
  readonly version: Semver;
  constructor(version: Semver) {
    super();
    this.version = version;
  }
  override get goTypeName(): string {
    return "cel.Semver";
  }
  equalTo(other: Value): boolean | CelError {
    if (other instanceof SemverValue) return compareSemver(this.version, other.version) === 0;
    return unfit(other);
  }
}

// biome-ignore format: a table
export const semverLibrary: Library = {
  name: "kubernetes.Semver",
  functions: [
    fn("semver", [
      global("string_to_semver", [STRING], SEMVER_TYPE, (text) => toSemver(text, false)),
      global("string_bool_to_semver", [STRING, BOOL], SEMVER_TYPE, toSemver),
    ]),
    fn("isSemver", [
      global("is_semver_string", [STRING], BOOL, (text) => isSemver(text, false)),
      global("is_semver_string_bool", [STRING, BOOL], BOOL, isSemver),
    ]),
    fn("isGreaterThan", [method("semver_is_greater_than", SEMVER_TYPE, [SEMVER_TYPE], BOOL, comparison((order) => order === 1))]),
    fn("isLessThan",    [method("semver_is_less_than", SEMVER_TYPE, [SEMVER_TYPE], BOOL, comparison((order) => order === -1))]),
    fn("compareTo",     [method("semver_compare_to", SEMVER_TYPE, [SEMVER_TYPE], INT, comparison((order) => order))]),
    fn("major",         [method("semver_major", SEMVER_TYPE, [], INT, number((version) => version.major))]),
    fn("minor",         [method("semver_minor", SEMVER_TYPE, [], INT, number((version) => version.minor))]),
    fn("patch",         [method("semver_patch", SEMVER_TYPE, [], INT, number((version) => version.patch))]),
  ],
};

function toSemver(text: Value = null, tolerant: Value = false): Value {
  if (typeof text !== "string") return noSuchOverload();
  const parsed = parse(text, tolerant);
  return parsed.error === undefined ? new SemverValue(parsed.value) : new CelError(parsed.error);
}

function isSemver(text: Value = null, tolerant: Value = false): Value {
  return typeof text === "string" ? parse(text, tolerant).error === undefined : noSuchOverload();
}

function parse(text: string, tolerant: Value) {
  return tolerant === true ? parseTolerantSemver(text) : parseSemver(text);
}

function comparison(answer: (order: number) => Value): (left?: Value, right?: Value) => Value {
  return onTwo(SemverValue, (left, right) => answer(compareSemver(left.version, right.version)));
}

function number(read: (version: Semver) => bigint): (value?: Value) => Value {
  return onOne(SemverValue, ({ version }) => normalInt(BigInt.asIntN(64, read(version))));
}
