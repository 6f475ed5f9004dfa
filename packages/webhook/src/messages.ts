/** The webhook's own messages; those about policies are the engine's. */

// Talking to the cluster

export const noJson = (path: string): string => `${path}: no JSON in the answer`;
export const refused = (path: string, status: number): string => `${path}: answered with ${status}`;
export const noAnswer = (): string => "no answer in time";
export const watchFailed = (path: string, problem: string): string => `watch of ${path}: ${problem}`;
export const notServed = (path: string): string => `the cluster does not serve ${path}`;
export const noServiceAccount = (): string => "not in a cluster: there is no service account; name a kubeconfig";

// Answering reviews

/** What a review is about. */
interface Subject {
  readonly operation: string;
  readonly resource: { readonly resource: string };
  readonly namespace: string;
  readonly name: string;
}

export const notSynced = (): string => "policies have not been read yet";
export const policyNotSynced = (name: string): string => `policy \`${name}\` has not been read yet`;
export const bodyTooLarge = (limit: number): string => `the body is larger than ${limit} bytes`;
export const notAReview = (): string => "the body is not an AdmissionReview of admission.k8s.io/v1 or v1beta1";
export const noRequest = (): string => "the review has no request";
export const unknownOperation = (operation: string): string => `unknown operation \`${operation}\``;
export const notOfRequest = (kind: string): string => `the object was sent in a version other than ${kind}`;
export const onlyPost = (): string => "reviews are posted";
export const onlyJson = (): string => "reviews are application/json";
export const noSuchPage = (): string => "no such page";
export const wouldDeny = (policy: string, { operation, resource, namespace, name }: Subject, message: string): string =>
  `audit: policy ${policy} would deny ${operation} ${resource.resource} ${namespace === "" ? "" : `${namespace}/`}${name}: ${message}`;
export const stopping = (): string => "stopping";

// Keeping things in step

export const configurationFailed = (problem: string): string => `webhook configuration: ${problem}`;
export const configurationWritten = (count: number): string => `webhook configuration written, entries: ${count}`;
export const certificatesFailed = (problem: string): string => `certificates: ${problem}`;
export const certificatesRead = (): string => "certificates: new files are in use";
export const statusFailed = (problem: string): string => `status of policies: ${problem}`;
export const noStatus = (path: string): string =>
  `status of policies: not written, because the CRD for ${path} has no status subresource`;
export const certificatesMoved = (stage: string): string => `certificates: ${stage}`;
