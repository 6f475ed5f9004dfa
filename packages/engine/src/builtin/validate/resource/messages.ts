/** The words about devices and claims to them. */
export const oneRequestKind = (): string => "exactly one of `exactly` or `firstAvailable` is required";
export const manyRequestKinds = (): string =>
  "exactly one of `exactly` or `firstAvailable` is required, but multiple fields are set";
export const countWithAll = (): string => "must not be specified when allocationMode is 'All'";
export const noSuchRequest = (): string =>
  "must be the name of a request in the claim or the name of a request and a subrequest separated by '/'";
export const attributeNeeded = (): string =>
  'exactly one of "matchAttribute" or "distinctAttribute" is required, but multiple fields are set';
export const fullName = (): string => "a fully qualified name must be a domain and a name separated by a slash";
export const omitted = (): string => "<value omitted>";
export const jsonObject = (): string => "must be a valid JSON object";
export const extendedName = (): string => "must be a valid extended resource name";
export const emptyForExists = (): string => "must be empty for operator `Exists`";
