/** Messages of decoding and validating built-in kinds. */
import { quote } from "@portcullis/gostd/quote";
import { isArray, isNumber, type JsonValue } from "../value/json.ts";

export const wrongType = (found: string, go: string): string =>
  `json: cannot unmarshal ${found} into Go value of type ${go}`;

export function jsonName(value: JsonValue): string {
  if (typeof value === "string") return "string";
  if (typeof value === "boolean") return "bool";
  if (isNumber(value)) return "number";
  return isArray(value) ? "array" : "object";
}

export const badQuantity = (): string =>
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

const MICRO_LAYOUT = "2006-01-02T15:04:05.000000Z07:00";

/** The layout of a time is part of its error. */
export const badMicroTime = (text: string, error: string): string =>
  error.replace(`${quote(text)} as "2006-01-02T15:04:05Z07:00"`, `${quote(text)} as ${quote(MICRO_LAYOUT)}`);

/** Where a time has too few or too many digits of a second. */
export function microDigits(text: string): string {
  const fraction = /\.(\d+)/.exec(text)?.[1];
  const isLong = fraction !== undefined && fraction.length > 6;
  const rest = isLong ? text.slice(text.indexOf(".") + 7) : text.slice(19);
  return `parsing time ${quote(text)} as ${quote(MICRO_LAYOUT)}: cannot parse ${quote(rest)} as ${quote(isLong ? "Z07:00" : ".000000")}`;
}

export const cannotHandle = (
  found: { readonly kind: string; readonly version: string },
  kind: string,
  reason: string,
): string => `${found.kind} in version ${quote(found.version)} cannot be handled as a ${kind}: ${reason}`;

const SERVER_SCHEME = "pkg/api/legacyscheme/scheme.go:30";
export const AGGREGATOR = "apiregistration.k8s.io";

/** Where upstream registers the kinds of a group: the aggregator has a scheme of its own. */
export function schemeOf(group: string): string {
  return group === AGGREGATOR ? "k8s.io/kube-aggregator/pkg/apiserver/scheme/scheme.go:28" : SERVER_SCHEME;
}

export const notRegistered = (kind: string, groupVersion: string, scheme = SERVER_SCHEME): string =>
  `no kind ${quote(kind)} is registered for version ${quote(groupVersion)} in scheme ${quote(scheme)}`;

export const unknownConversion = (from: string, to: string): string =>
  `converting (${from}) to (${to}): unknown conversion`;

export const unrecognized = (kind: string, reason: string, summary: string): string =>
  `the object provided is unrecognized (must be of type ${kind}): ${reason} (${summary})`;

export const noVersionOrKind = (error: string): string => `couldn't get version/kind; json parse error: ${error}`;

export const badGroupVersion = (text: string): string => `unexpected GroupVersion string: ${text}`;

export const wrongHeaderField = (found: string, field: string): string =>
  `json: cannot unmarshal ${found} into Go struct field .${field} of type string`;

export const notAHeader = (found: string): string =>
  `json: cannot unmarshal ${found} into Go value of type struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }`;

export const versionMismatch = (found: string, expected: string): string =>
  `the API version in the data (${found}) does not match the expected API version (${expected})`;

/** Messages of the converter from maps. */
export const noStructFrom = (kind: string): string => `cannot restore struct from: ${kind}`;
export const noSliceFrom = (kind: string): string => `cannot restore slice from ${kind}`;
export const noMapFrom = (kind: string): string => `cannot restore map from ${kind}`;
export const unrecognizedType = (kind: string): string => `unrecognized type: ${kind}`;
export const cannotConvert = (from: string, to: string): string => `cannot convert ${from} to ${to}`;
export const decodingFromJson = (error: string): string => `error decoding from json: ${error}`;

export const oddFinalizer = (): string => "name is neither a standard finalizer name nor is it fully qualified";

export const limitRangerSet = (notes: readonly string[]): string => `LimitRanger plugin set: ${notes.join("; ")}`;
export const filledIn = (names: readonly string[], what: string, holder: string, name: string): string =>
  `${names.join(", ")} ${what} for ${holder} ${name}`;
export const bound = (which: "minimum" | "maximum", resource: string, type: string, amount: string): string =>
  `${which} ${resource} usage per ${type} is ${amount}`;
export const noneSpecified = (bound: string, what: string): string => `${bound}.  No ${what} is specified`;
export const beyond = (bound: string, what: string, amount: string): string => `${bound}, but ${what} is ${amount}`;
export const ratioBound = (resource: string, type: string, ratio: string): string =>
  `${resource} max limit to request ratio per ${type} is ${ratio}`;
export const noRatio = (bound: string, what: string): string => `${bound}, but no ${what} is specified or ${what} is 0`;
export const ratioBeyond = (bound: string, ratio: string): string => `${bound}, but provided ratio is ${ratio}`;

export function fieldNotSupported(field: string): string {
  return `field label not supported: ${field}`;
}

export function unknownFieldSelector(field: string): string {
  return `${quote(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`;
}

export function jobFieldNotSupported(field: string): string {
  return `field label ${quote(field)} not supported for Job`;
}

export function sliceFieldNotSupported(field: string): string {
  return `field label not supported for resource.k8s.io/v1, Kind=ResourceSlice: ${field}`;
}
