/** The name of the node that has a device. */
import { type FieldError, invalid } from "../../../field/error.ts";
import { checkDnsSubdomain } from "../../../field/names.ts";
import type { FieldPath } from "../../../field/path.ts";

export function nodeName(name: string, path: FieldPath, ifEmpty: string): FieldError[] {
  if (name === "") return [invalid(path, name, ifEmpty)];
  return checkDnsSubdomain(name).map((problem) => invalid(path, name, problem));
}
