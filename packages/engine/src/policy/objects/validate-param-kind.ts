/** The kind of a policy's parameters, as it is written. */
import { type FieldError, invalid, required } from "../../field/error.ts";
import { checkDns1035Label, checkDnsSubdomain } from "../../field/names.ts";
import type { FieldPath } from "../../field/path.ts";
import { parseGroupVersion } from "../attributes.ts";
import type { ParamKind } from "../policy.ts";
import * as messages from "./object-messages.ts";

export function validateParamKind(paramKind: ParamKind | undefined, path: FieldPath): FieldError[] {
  if (paramKind === undefined) return [];
  return [
    ...validateApiVersion(paramKind.apiVersion, path.child("apiVersion")),
    ...validateKind(paramKind.kind, path.child("kind")),
  ];
}

/** The value shown is the part that is wrong, where it is a part. */
function validateApiVersion(apiVersion: string, path: FieldPath): FieldError[] {
  if (apiVersion === "") return [required(path)];
  const parsed = parseGroupVersion(apiVersion);
  if (parsed === undefined) return [invalid(path, apiVersion, messages.badGroupVersion(apiVersion), "apiVersion")];
  const { group, version } = parsed;
  const groupProblems = group === "" ? [] : checkDnsSubdomain(group);
  const versionProblems = version === "" ? [] : checkDns1035Label(version);
  return [
    ...(groupProblems.length > 0 ? [invalid(path, group, groupProblems.join(","), "apiVersion")] : []),
    ...(version === "" ? [invalid(path, apiVersion, messages.versionNeeded(), "apiVersion")] : []),
    ...(versionProblems.length > 0 ? [invalid(path, version, versionProblems.join(","), "apiVersion")] : []),
  ];
}

function validateKind(kind: string, path: FieldPath): FieldError[] {
  if (kind === "") return [required(path)];
  const problems = checkDns1035Label(kind.toLowerCase());
  return problems.length === 0 ? [] : [invalid(path, kind, messages.mixedCaseKind(problems.join(",")), "kind")];
}
