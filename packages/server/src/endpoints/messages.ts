/** Upstream's messages of the endpoints. */
import { quote } from "@portcullis/gostd/quote";

export const notReady = (): string => "not yet ready to handle request";
export const bodyLimit = (limit: number): string => `limit is ${limit}`;
export const resourceNotFound = (): string => "the server could not find the requested resource";
export const methodNotAllowed = (): string => "the server does not allow this method on the requested resource";
export const badTimeout = (problem: string): string => `invalid timeout specified in the request URL - ${problem}`;

export const requestTimeout = (): string => "request did not complete within the allotted timeout";
export const writeTimeout = (): string =>
  "request did not complete within requested timeout - context deadline exceeded";

export const sendInitialForbidden = (): string => "sendInitialEvents is forbidden for list";
export const matchNeedsVersion = (): string => "resourceVersionMatch is forbidden unless resourceVersion is provided";
export const matchWithContinue = (): string => "resourceVersionMatch is forbidden when continue is provided";
export const exactZero = (): string => 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"';
export const initialNeedsMatch = (): string =>
  "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan";
export const matchNeedsInitial = (): string =>
  "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided";

export const invalidVersion = (problem: string): string => `invalid resource version: ${problem}`;
export const badVersion = (text: string, problem: string): string =>
  `resourceVersion: Invalid value: ${quote(text)}: ${problem}`;
export const versionWithContinue = (): string => "specifying resource version is not allowed when using continue";
export const badContinue = (problem: string): string => `invalid continue token: ${problem}`;
export const listTooOld = (): string => "The resourceVersion for the provided list is too old.";
export const continueTooOld = (): string =>
  "The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.";
export const watchTooOld = (wanted: number, oldest: number): string =>
  `too old resource version: ${wanted} (${oldest})`;
export const forceWithoutApply = (): string => "may not be specified for non-apply patch";
export const managerNeeded = (): string => "is required for apply patch";
export const bothPropagations = (): string => "orphanDependents and deletionPropagation cannot be both set";
export const notAsTable = (cause: string): string => `Unable to convert to Table as requested: ${cause}`;
export const badInclude = (): string => "must be 'Metadata', 'Object', 'None', or empty";
export const notDeleteOptions = (kind: string, apiVersion: string): string =>
  `no kind ${quote(kind)} is registered for version ${quote(apiVersion)} in scheme "k8s.io/apimachinery/pkg/apis/meta/internalversion/scheme/register.go:27"`;
export const notAcceptable = (types: readonly string[]): string =>
  `406: Not Acceptable\n\nAvailable representations: ${types.join(", ")}`;

export function exportGone(): string {
  return "the export parameter, deprecated since v1.14, is no longer supported";
}

export function notOneObject(goType: string): string {
  return `you requested PartialObjectMetadata, but the requested object is a list (${goType})`;
}

export function notAList(goType: string): string {
  return `you requested PartialObjectMetadataList, but the requested object is not a list (${goType})`;
}

export function contentNotAList(): string {
  return "content is not a list";
}
export const objectModified = (): string =>
  "the object has been modified; please apply your changes to the latest version and try again";
export const orderedFault = (): string => "a fault was ordered for this request";
