/** Runtime errors of Kubernetes' own functions and data views, in one file to compare with upstream's. */
import { CelError } from "@portcullis/cel";
import { quote } from "@portcullis/gostd/quote";

/** Declared types have no literals: naming one with braces compiles and then fails. */
export function cannotConstruct(typeName: string): CelError {
  return new CelError(`unknown type '${typeName}'`);
}

export function illegalRegex(problem: string): CelError {
  return new CelError(`Illegal regex: ${problem}`);
}

export function calledOnEmptyList(name: string): CelError {
  return new CelError(`${name} called on empty list`);
}

export function urlParseError(problem: string): CelError {
  return new CelError(`URL parse error during conversion from string: ${problem}`);
}

export const notAnInteger = (): CelError => new CelError("cannot convert value to integer");

export function ipParseError(text: string, problem: string): string {
  return `IP Address ${quote(text)} parse error during conversion from string: ${problem}`;
}

export function ipWithZone(text: string): string {
  return `IP address ${quote(text)} with zone value is not allowed`;
}

export function ipv4MappedAddress(text: string): string {
  return `IPv4-mapped IPv6 address ${quote(text)} is not allowed`;
}

export function networkParseError(problem: string): string {
  return `network address parse error during conversion from string: ${problem}`;
}

export const emptyPath = (): CelError => new CelError("path must not be empty");
export const emptyResource = (): CelError => new CelError("resource must not be empty");
export const invalidServiceAccountName = (): CelError => new CelError("Invalid service account name");
export const invalidServiceAccountNamespace = (): CelError => new CelError("Invalid service account namespace");

/** The messages of the version parser. Those that start with a lower-case letter are Kubernetes' own. */
export const semverMessages = {
  empty: "Version string empty",
  missingElements: "No Major.Minor.Patch elements found",
  shortWithMetadata: "short version cannot contain PreRelease/Build meta data",
  emptyPrerelease: "Prerelease is empty",
  emptyBuild: "Build meta data is empty",
  invalidNumber: (part: string, text: string) => `Invalid character(s) found in ${part} number ${quote(text)}`,
  leadingZeroes: (part: string, text: string) => `${part} must not contain leading zeroes ${quote(text)}`,
  invalidPrerelease: (text: string) => `Invalid character(s) found in prerelease ${quote(text)}`,
  invalidBuild: (text: string) => `Invalid character(s) found in build meta data ${quote(text)}`,
};

export const nullNotAllowed = (): CelError => new CelError("invalid data, got null for schema with nullable=false");
export const neitherIntNorString = (): CelError =>
  new CelError("invalid data, expected XIntOrString value to be either a string or integer");
export const notAMap = (): CelError =>
  new CelError("invalid data, expected a map for the provided schema with type=object");
export const notAnArray = (): CelError =>
  new CelError("invalid data, expected an array for the provided schema with type=array");
export const arrayWithoutItems = (): CelError =>
  new CelError("invalid array type, expected Items with a non-empty Schema");

/** `goType` is what Go's `%T` prints for the data. */
export function unexpectedData(expected: string, goType: string): CelError {
  return new CelError(`invalid data, expected ${expected}, got ${goType}`);
}

export function unexpectedListType(listType: string): CelError {
  return new CelError(`invalid x-kubernetes-list-type, expected 'map', 'set' or 'atomic' but got ${listType}`);
}

export function unexpectedSchemaType(type: string): CelError {
  return new CelError(
    `invalid type, expected object, array, number, integer, boolean or string, or no type with x-kubernetes-int-or-string or x-kubernetes-preserve-unknown-fields is true, got ${type}`,
  );
}

export function invalidDuration(text: string, problem: string): CelError {
  return new CelError(`Invalid duration ${text}: ${problem}`);
}

export function invalidFormatted(format: string, text: string, problem: string): CelError {
  return new CelError(`Invalid ${format} formatted string ${text}: ${problem}`);
}

export const preservedHasNoType = (): CelError =>
  new CelError("type conversion to 'type' not supported for values preserved by x-kubernetes-preserve-unknown-fields");

export function unsupportedIndex(index: string): CelError {
  return new CelError(`unsupported index: ${index}`);
}

export function setOfCollections(): CelError {
  return new CelError("listSet operations are only supported on lists of scalar values");
}

export function unhashable(goType: string): string {
  return `runtime error: hash of unhashable type ${goType}`;
}
