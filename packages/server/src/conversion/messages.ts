/** Upstream's messages for failed conversions. */
import { quote } from "@portcullis/gostd/quote";

/** `kind` is that of the object to be converted: `example.com/v1, Kind=Widget`. */
export const callFailed = (kind: string, reason: string): string => `conversion webhook for ${kind} failed: ${reason}`;
export const wrongCount = (kind: string, found: number): string =>
  `conversion webhook for ${kind} returned ${found} objects, expected 1`;
export const wrongVersion = (kind: string, expected: string, found: string): string =>
  `conversion webhook for ${kind} returned invalid object at index 0: invalid groupVersion (expected ${expected}, received ${found})`;
export const wrongKind = (kind: string, expected: string, found: string): string =>
  `conversion webhook for ${kind} returned invalid object at index 0: invalid kind (expected ${expected}, received ${found})`;
export const invalidObject = (kind: string, reason: string): string =>
  `conversion webhook for ${kind} returned invalid object: ${reason}`;
export const invalidMetadata = (kind: string, reason: string): string =>
  `conversion webhook for ${kind} returned invalid metadata: ${reason}`;

export const mustBeSame = (what: string, expected: string, found: string): string =>
  `must have the same ${what}: ${expected} != ${found}`;
export const metadataMissing = (): string => "missing metadata in converted object";
export const metadataType = (type: string): string => `invalid metadata of type ${type} in converted object`;
export const mapType = (field: string, type: string): string =>
  `invalid metadata.${field} of type ${type} in converted object`;
export const notAText = (field: string, key: string, type: string): string =>
  `metadata.${field}[${key}] must be a string, but is ${type} in converted object`;

export const noReviewVersion = (): string => "no supported conversion review versions";
export const expectedReview = (expected: string, found: string): string =>
  `expected webhook response of ${expected}, got ${found}`;
export const noResponse = (): string => "no response provided";
export const wrongUid = (expected: string, found: string): string =>
  `expected response.uid=${quote(expected)}, got ${quote(found)}`;
export const notSuccess = (status: string): string => `response.result.status was '${status}', not 'Success'`;
export const unexpectedEnd = (): string => "unexpected end of JSON input";
export const notAMap = (found: string): string =>
  `json: cannot unmarshal ${found} into Go value of type map[string]interface {}`;

/** What Go's HTTP client puts before every failure. */
export const posting = (url: string, reason: string): string => `Post ${quote(url)}: ${reason}`;
export const serviceNotFound = (name: string): string => `service ${quote(name)} not found`;
export const noServicePort = (port: number, name: string): string =>
  `no service port ${port} found for service ${quote(name)}`;
export const headlessService = (): string => 'cannot route to service with ClusterIP "None"';
export const noWebhooks = (): string => "this server does not call webhooks";
