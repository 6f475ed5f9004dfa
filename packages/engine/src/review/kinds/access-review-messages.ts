/** Refusals of access reviews, with upstream's texts. */

export const bothAttributes = (): string => "cannot be specified in combination with resourceAttributes";
export const noAttributes = (): string =>
  "exactly one of nonResourceAttributes or resourceAttributes must be specified";
export const noSubject = (): string => "at least one of user or group must be specified";
export const metadataNotEmpty = (): string => "must be empty";
export const metadataNotEmptyButNamespace = (): string => "must be empty except for namespace";
export const namespaceMustMatch = (): string => "must match metadata.namespace";
export const pathDisallowed = (): string => "disallowed on this kind of request";
export const selectorTwice = (): string => "may not specified at the same time as requirements";
export const selectorNeeded = (path: string): string =>
  `when ${path} is specified, requirements or rawSelector is required`;
export const keyNeeded = (): string => "must be specified";
export const valuesNeeded = (): string => "must be specified when `operator` is 'In' or 'NotIn'";
export const valuesForbidden = (): string => "may not be specified when `operator` is 'Exists' or 'DoesNotExist'";
export const selectorIgnored = (field: string, isPartly: boolean): string =>
  `spec.resourceAttributes.${field} ${isPartly ? "partially " : ""}ignored due to parse error`;
export const tokenRequired = (): string => "token is required for TokenReview in authentication";
export const noNamespaceOnRequest = (): string => "no namespace on request";
