/** The messages about object metadata and embedded resources. */
import { quote } from "@portcullis/gostd/quote";
import { reworded } from "../value/server-version.ts";

export function resourceVersionRequired(): string {
  return "must be specified for an update";
}

export function generationDecremented(): string {
  return "must not be decremented";
}

export function immutable(): string {
  return "field is immutable";
}

export function nameRequired(): string {
  return "name or generateName is required";
}

export function namespaceNotAllowed(): string {
  return "not allowed on this type";
}

export function notNegative(): string {
  return "must be greater than or equal to 0";
}

export function versionEmpty(): string {
  return "version must not be empty";
}

export function badApiVersion(): string {
  return "must be <group>/<version> or <version>";
}

export function empty(): string {
  return "must not be empty";
}

export function emptyOwner(field: string): string {
  return reworded("1.34", "must not be empty", `${field} must not be empty`);
}

/** Of an embedded resource. */
export function typeMetaNeeded(): string {
  return reworded("1.34", "", "must not be empty");
}

export function eventOwner(): string {
  return "/v1, Kind=Event is disallowed from being an owner";
}

export function twoControllers(first: string, second: string): string {
  return `Only one reference can have Controller set to true. Found "true" in references for ${first} and ${second}`;
}

export function conflictingFinalizers(): string {
  return "finalizer orphan and foregroundDeletion cannot be both set";
}

export function newFinalizers(names: readonly string[]): string {
  const list = names.map(quote).join(", ");
  return `no new finalizers can be added if the object is being deleted, found new finalizers []string{${list}}`;
}

export function badOperation(): string {
  return "must be `Apply` or `Update`";
}

export function badFieldsType(): string {
  return "must be `FieldsV1`";
}

/** Go's `%#U`: the code point, and the character itself where it can be printed. */
export function unprintable(codePoint: number, position: number): string {
  const hex = codePoint.toString(16).toUpperCase().padStart(4, "0");
  return `invalid character U+${hex} (at position ${position})`;
}

export function mustBeString(): string {
  return "must be a string";
}

export function badGroupVersion(text: string): string {
  return `unexpected GroupVersion string: ${text}`;
}

export function badKind(problems: readonly string[]): string {
  return `may have mixed case, but should otherwise match: ${problems.join(",")}`;
}
