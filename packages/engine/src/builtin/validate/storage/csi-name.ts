/** Names of drivers: subdomains in letters of either case. */
import { type FieldError, invalid, required, tooLong } from "../../../field/error.ts";
import { checkDnsSubdomain } from "../../../field/names.ts";
import type { FieldPath } from "../../../field/path.ts";
import { since } from "../../../value/server-version.ts";
import * as messages from "./messages.ts";

const MAX_NAME = 63;

const CASELESS =
  "an RFC 1123 subdomain must consist of alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'Example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

/** Where the name is validated declaratively, since 1.37. */
export function declaredDriverName(name: string, path: FieldPath): FieldError[] {
  if (!since("1.37") || name === "") return csiDriverName(name, path);
  const isName = checkDnsSubdomain(name.toLowerCase()).length === 0;
  return [
    ...(name.length > MAX_NAME ? [{ ...tooLong(path, MAX_NAME), detail: messages.mostCharacters(MAX_NAME) }] : []),
    ...(isName ? [] : [invalid(path, name, CASELESS, "format")]),
  ];
}

export function csiDriverName(name: string, path: FieldPath): FieldError[] {
  if (name === "" && since("1.35")) return [required(path)];
  return [
    ...(name === "" ? [required(path)] : []),
    ...(name.length > MAX_NAME ? [tooLong(path, MAX_NAME)] : []),
    ...checkDnsSubdomain(name.toLowerCase()).map((problem) => invalid(path, name, problem)),
  ];
}
