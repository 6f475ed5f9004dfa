/** What is said when a conversion fails, in upstream's words. */
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
export const emptyAnswer = (code: number, type: string): string =>
  `0-length response with status code: ${code} and content type: ${type}`;
export const unregisteredKind = (kind: string, apiVersion: string): string =>
  `no kind ${quote(kind)} is registered for version ${quote(apiVersion)} in scheme "k8s.io/apiserver/pkg/util/webhook/client.go:71"`;
export const unknownConversion = (from: string, to: string): string =>
  `converting (${from}) to (${to}): unknown conversion`;
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

/** Codes whose meaning the client knows better than the server that sent them. */
const BY_CODE: ReadonlyMap<number, string> = new Map([
  [400, "the server rejected our request for an unknown reason"],
  [401, "the server has asked for the client to provide credentials"],
  [404, "the server could not find the requested resource"],
  [405, "the server does not allow this method on the requested resource"],
  [409, "the server reported a conflict"],
  [422, "the server rejected our request due to an error in our request"],
  [429, "the server has received too many requests and has asked us to try again later"],
  [503, "the server is currently unable to handle the request"],
  [504, "the server was unable to return a response in the time allotted, but may still be processing the request"],
]);

/** `text` is what the server said, or `unknown` where that was no text. */
export function serverError(code: number, text: string): string {
  const known = BY_CODE.get(code);
  if (known !== undefined) return known;
  if (code === 403 || code === 415) return text;
  if (code === 406) {
    const isSilent = text === "" || text === "unknown";
    return isSilent ? "the server was unable to respond with a content type that the client supports" : text;
  }
  if (code >= 500) return `an error on the server (${quote(text)}) has prevented the request from succeeding`;
  return `the server responded with the status code ${code} but did not return more information`;
}
