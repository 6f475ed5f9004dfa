/**
 * Semantic versions. Follows apiserver pkg/cel/library/semverlib.go, version 1: a second argument `true` normalizes.
 *
 * The numbers are uint64 but CEL reads them as int64, so a huge one becomes negative, as upstream.
 */
import {
  BOOL,
  CelError,
  INT,
  normalInt,
  noSuchOverload,
  OpaqueValue,
  objectType,
  STRING,
  type Type,
  type Value,
} from "@portcullis/cel/internal";
import { READS_ARGUMENT, UNIT_COST } from "./cost.ts";
import { defineLibrary, unitEquality } from "./define.ts";
import { onOne, onTwo, unfit } from "./operands.ts";
import { compareSemver, parseSemver, parseTolerantSemver, type Semver } from "./semver-text.ts";

const SEMVER_TYPE: Type = objectType("kubernetes.Semver");

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
export const semverLibrary = defineLibrary({
  name: "kubernetes.Semver",
  equality: [unitEquality(SEMVER_TYPE)],
  functions: [
    {
      name: "semver", id: "string_to_semver", params: [STRING], result: SEMVER_TYPE, cost: READS_ARGUMENT,
      call: (text) => toSemver(text, false),
      doc: "parses a semantic version",
      example: "semver('1.2.3').major() == 1",
    },
    {
      name: "semver", id: "string_bool_to_semver", params: [STRING, BOOL], result: SEMVER_TYPE, cost: READS_ARGUMENT,
      call: toSemver,
      doc: "parses a semantic version; with true, a leading 'v', leading zeroes and missing parts are normalized first",
      example: "semver('v1.02', true) == semver('1.2.0')",
    },
    {
      name: "isSemver", id: "is_semver_string", params: [STRING], result: BOOL, cost: READS_ARGUMENT,
      call: (text) => isSemver(text, false),
      doc: "returns true if `semver` would parse the string",
      example: "isSemver('1.2.3') && !isSemver('v1.2.3')",
    },
    {
      name: "isSemver", id: "is_semver_string_bool", params: [STRING, BOOL], result: BOOL, cost: READS_ARGUMENT,
      call: isSemver,
      doc: "returns true if `semver` would parse the string; with true, after normalizing it",
      example: "isSemver('v1.2', true)",
    },
    {
      name: "isGreaterThan", id: "semver_is_greater_than", on: SEMVER_TYPE, params: [SEMVER_TYPE], result: BOOL, cost: UNIT_COST,
      call: comparison((order) => order === 1),
      doc: "returns true if the version is newer than the other",
      example: "semver('1.10.0').isGreaterThan(semver('1.9.0'))",
    },
    {
      name: "isLessThan", id: "semver_is_less_than", on: SEMVER_TYPE, params: [SEMVER_TYPE], result: BOOL, cost: UNIT_COST,
      call: comparison((order) => order === -1),
      doc: "returns true if the version is older than the other",
      example: "semver('1.0.0-rc.1').isLessThan(semver('1.0.0'))",
    },
    {
      name: "compareTo", id: "semver_compare_to", on: SEMVER_TYPE, params: [SEMVER_TYPE], result: INT, cost: UNIT_COST,
      call: comparison((order) => order),
      doc: "returns -1, 0 or 1 if the version is older than, equal to or newer than the other; build metadata does not count",
      example: "semver('1.2.3+a').compareTo(semver('1.2.3+b')) == 0",
    },
    {
      name: "major", id: "semver_major", on: SEMVER_TYPE, params: [], result: INT, cost: UNIT_COST,
      call: number((version) => version.major),
      doc: "returns the major number of the version",
      example: "semver('1.2.3').major() == 1",
    },
    {
      name: "minor", id: "semver_minor", on: SEMVER_TYPE, params: [], result: INT, cost: UNIT_COST,
      call: number((version) => version.minor),
      doc: "returns the minor number of the version",
      example: "semver('1.2.3').minor() == 2",
    },
    {
      name: "patch", id: "semver_patch", on: SEMVER_TYPE, params: [], result: INT, cost: UNIT_COST,
      call: number((version) => version.patch),
      doc: "returns the patch number of the version",
      example: "semver('1.2.3').patch() == 3",
    },
  ],
});

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
