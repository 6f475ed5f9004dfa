/** The names of a resource, in `spec.names` and in `status.acceptedNames`. Kinds may have capital letters. */
import { type FieldError, invalid, required } from "../field/error.ts";
import { checkDns1035Label } from "../field/names.ts";
import type { FieldPath } from "../field/path.ts";
import type { DefinitionNames } from "./definition.ts";
import * as messages from "./messages.ts";

/** `spec` must have them all. */
export function validateRequiredNames(names: DefinitionNames, path: FieldPath): FieldError[] {
  const keys = ["plural", "singular", "kind", "listKind"] as const;
  return keys.filter((key) => names[key] === "").map((key) => required(path.child(key), "", "names"));
}

export function validateNames(names: DefinitionNames, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  for (const key of ["plural", "singular"] as const) {
    if (names[key] !== "") errors.push(...checkLabel(names[key], path.child(key)));
  }
  for (const key of ["kind", "listKind"] as const) {
    if (names[key] !== "") errors.push(...checkKind(names[key], path.child(key)));
  }
  for (const [index, name] of names.shortNames.entries()) {
    errors.push(...checkLabel(name, path.child("shortNames").index(index)));
  }
  if (names.kind !== "" && names.kind === names.listKind) {
    errors.push(invalid(path.child("listKind"), names.listKind, messages.sameListKind(), "names"));
  }
  for (const [index, category] of names.categories.entries()) {
    errors.push(...checkLabel(category, path.child("categories").index(index)));
  }
  return errors;
}

/** A DNS label as of RFC 1035; all that is wrong with it is one error. */
export function checkLabel(name: string, path: FieldPath): FieldError[] {
  const problems = checkDns1035Label(name);
  return problems.length === 0 ? [] : [invalid(path, name, problems.join(","), "names")];
}

function checkKind(kind: string, path: FieldPath): FieldError[] {
  const problems = checkDns1035Label(kind.toLowerCase());
  return problems.length === 0 ? [] : [invalid(path, kind, messages.mixedCase(problems.join(",")), "names")];
}
