/** Upstream's messages for connections to pods, services and nodes that fail. */
import { quote } from "@portcullis/gostd/quote";

export const badPorts = (error: string): string => `cannot convert to []int32: ${error}`;
export const containerNeeded = (pod: string, names: readonly string[]): string =>
  `a container name must be specified for pod ${pod}, choose one of: [${names.join(" ")}]`;
export const containerUnknown = (container: string, pod: string): string =>
  `container ${container} is not valid for pod ${pod}`;
export const noHost = (pod: string): string => `pod ${pod} does not have a host assigned`;
export const noAddress = (known: readonly string[]): string =>
  `no preferred addresses found; known addresses: [${known.join(" ")}]`;
export const addressNotAllowed = (): string => "address not allowed";
export const noServicePort = (port: string, service: string): string =>
  `no service port ${port} found for service ${quote(service)}`;
export const noEndpoints = (service: string): string => `no endpoints available for service ${quote(service)}`;
export const notReached = (address: string): string =>
  `error dialing backend: dial tcp ${address}: connect: connection refused`;

export const otherName = (kind: string): string => `name in URL does not match name in ${kind} object`;
export const podInDeletion = (name: string): string => `pod ${name} is being deleted, cannot be assigned to a host`;
export const podAssigned = (name: string, node: string): string =>
  `pod ${name} is already assigned to node ${quote(node)}`;
export const podGated = (name: string): string => `pod ${name} has non-empty .spec.schedulingGates`;
export const bindingUid = (wanted: string, found: string): string =>
  `Precondition failed: UID in precondition: ${wanted}, UID in object meta: ${found}`;
export const bindingVersion = (wanted: string, found: string): string =>
  `Precondition failed: ResourceVersion in precondition: ${wanted}, ResourceVersion in object meta: ${found}`;

export const severalBudgets = (): string =>
  "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.";
export const budgetViolated = (): string => "Cannot evict pod as it would violate the pod's disruption budget.";
export const budgetInProgress = (name: string): string =>
  `The disruption budget ${name} is still being processed by the server.`;
export const budgetNotSynced = (name: string, problem: string): string =>
  `The disruption budget ${name} does not allow evicting pods currently because it failed sync: ${problem}`;
export const budgetNeeds = (name: string, desired: number, current: number): string =>
  `The disruption budget ${name} needs ${desired} healthy pods and has ${current} currently`;
export const budgetForbids = (name: string): string =>
  `The disruption budget ${name} does not allow evicting pods currently`;
export const budgetForbidsFor = (name: string, reason: string, problem: string): string =>
  `${budgetForbids(name)} (${reason}): ${problem}`;
export const negativeBudget = (): string => "pdb disruptions allowed is negative";
export const tooManyDisrupted = (): string =>
  "DisruptedPods map too big - too many evictions not confirmed by PDB controller";

export const notNegative = (): string => "must be greater than or equal to 0";
export const positive = (): string => "must be greater than 0";
export const oneSince = (): string => "at most one of `sinceTime` or `sinceSeconds` may be specified";
