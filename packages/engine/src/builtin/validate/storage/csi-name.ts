/** Names of drivers: subdomains in letters of either case. */
import { type FieldError, invalid, required, tooLong } from "../../../field/error.ts";
import { checkDnsSubdomain } from "../../../field/names.ts";
import type { FieldPath } from "../../../field/path.ts";

const MAX_NAME = 63;

export function csiDriverName(name: string, path: FieldPath): FieldError[] {
  if (name === "") return [required(path)];
  return [
    ...(name.length > MAX_NAME ? [tooLong(path, MAX_NAME)] : []),
    ...checkDnsSubdomain(name.toLowerCase()).map((problem) => invalid(path, name, problem)),
  ];
}
