/** The messages for invalid policy and binding objects. */
import { quote } from "@portcullis/gostd/quote";
import { reworded } from "../../value/server-version.ts";

// Selectors

export const valuesNeeded = (): string => "must be specified when `operator` is 'In' or 'NotIn'";
export const valuesNotAllowed = (): string => "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
export const badOperator = (): string => "not a valid selector operator";

// Rules

export const wildcardAlone = (others: string): string => `if '*' is present, must not specify other ${others}`;
export const doubleWildcardAlone = (): string => "if '*/*' is present, must not specify other resources";
export const wildcardAloneWithoutSubresources = (): string =>
  "if '*' is present, must not specify other resources without subresources";
export const coveredBy = (pattern: string, resource: string): string =>
  `if '${pattern}' is present, must not specify ${resource}`;

// Policies

export const badGroupVersion = (text: string): string => `unexpected GroupVersion string: ${text}`;
export const versionNeeded = (): string => "version must be specified";
export const mixedCaseKind = (problem: string): string => `may have mixed case, but should otherwise match: ${problem}`;
export const nameNotSpecified = (): string => "name is not specified";
export const notAnIdentifier = (): string =>
  reworded("1.34", "must be a valid CEL identifier", "name is not a valid CEL identifier");
export const expressionNotSpecified = (): string => "expression is not specified";
export const valueExpressionNotSpecified = (): string => "valueExpression is not specified";
export const itemsNeeded = (): string => "validations or auditAnnotations must contain at least one item";
export const blankNotAllowed = (): string => "must be non-empty if specified";
export const conditionNeeds = (): string => reworded("1.34", "", "must be set");
export const blankMessage = (): string => reworded("1.34", blankNotAllowed(), "message must be non-empty if specified");
export const lineBreaksNotAllowed = (): string =>
  reworded("1.34", "must not contain line breaks", "message must not contain line breaks");
export const tooManyAnnotations = (max: number): string => `must not have more than ${max} auditAnnotations`;
export const tooLongExpression = (max: number): string => `must not exceed ${max} bytes in length`;
export const policyNameNeeded = (): string => "requires metadata.name be non-empty";

const STATIC_SUFFIX = ".static.k8s.io";

/** What is wrong with the name; undefined if the name is not reserved. */
export function reservedName(name: string): string | undefined {
  if (!name.endsWith(STATIC_SUFFIX)) return undefined;
  return `names ending with ${quote(STATIC_SUFFIX)} are reserved for static manifest-based configurations and cannot be managed via the API`;
}

// Bindings

export const denyAndWarn = (): string =>
  "must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)";
export const actionNeeded = (): string => "at least one validation action is required";
export const nameAndSelectorExclude = (): string => "name and selector are mutually exclusive";
export const nameOrSelectorNeeded = (): string => "one of name or selector must be specified";

// Status

export const badJsonPath = (problem: string): string => `invalid JSONPath: ${problem}`;
export const notNegative = (): string => "must be greater than or equal to zero";
export const badConditionReason = (): string =>
  "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used for validation is '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?')";

// Permissions

export const paramKindNotReadable = (user: string, kind: string, apiVersion: string): string =>
  `user ${user} must have "get" permission on all objects of the referenced paramKind (kind=${kind}, apiVersion=${apiVersion})`;
export const paramRefNotReadable = (user: string, verb: string): string =>
  `user ${user} does not have "${verb}" permission on the object referenced by paramRef`;
export const everythingNotReadable = (problem: string, user: string, verb: string): string =>
  `unable to ${problem} to determine minimum required permissions and user ${user} does not have "${verb}" permission for all groups, versions and resources`;
export const authorizeFailed = (error: string): string => `failed to authorize request: ${error}`;
export const threeSegments = (): string => "should be a domain with at least three segments separated by dots";
export const specifyOneOf = (choices: readonly string[]): string => `must specify one of ${choices.join(", ")}`;
export const includeOneOf = (choices: readonly string[]): string =>
  `must include at least one of ${choices.join(", ")}`;
export const timeoutRange = (): string => "the timeout value must be between 1 and 30 seconds";
export const urlOrService = (): string => "exactly one of url or service is required";
export const duplicateVersion = (): string => "duplicate version";
