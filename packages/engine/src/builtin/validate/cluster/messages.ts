/** Messages about nodes, quotas, limits and classes of pods. */
import { quote } from "@portcullis/gostd/quote";
import { reworded } from "../../../value/server-version.ts";
export const uniqueTaints = (): string => "taints must be unique by key and effect pair";
export const brokenPodCidr = (index: number, cidr: string): string =>
  `invalid PodCIDRs. failed to check with dual stack with error:invalid CIDR[${index}]: <nil> (invalid CIDR address: ${cidr})`;
export const onePodCidr = (): string => "may specify no more than one CIDR for each IP family";
export const keptOnceSet = (what: string): string => `node updates may not change ${what} except from "" to valid`;
export const notUpdated = (): string => "may not be updated";
export const longFeature = (name: string, max: number): string =>
  `invalid feature name ${quote(name)}: must be no more than ${max} characters`;
export const illFormedFeature = (name: string): string =>
  `invalid feature name ${quote(name)}: must start with an UpperCamelCase segment, with subsequent segments separated by '/' (e.g., MyFeature or MyFeature/mySubFeature), and contain only alphanumeric characters and slashes`;
export const sortedFeatures = (): string => "list must be sorted alphabetically";
export const oneReference = (): string => "exactly one reference subfield must be non-nil";
export const notInSpec = (what: string): string => `${what} must not be set in spec`;

export const unsupportedScope = (): string => "unsupported scope";
export const scopeForResource = (): string => "unsupported scope applied to resource";
export const conflictingScopes = (): string => "conflicting scopes";
export const scopeExists = (): string =>
  "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity";
export const scopeValue = (): string =>
  "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector";
export const noScopeValue = (): string =>
  "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector";

export const limitType = (): string => "must be a standard limit type or fully qualified";
export const notForPods = (): string => "may not be specified when `type` is 'Pod'";
export const storageNeeded = (): string =>
  "either minimum or maximum storage value is required, but neither was provided";
export const isGreater = (what: string, value: string, other: string, limit: string): string =>
  `${what} value ${value} is greater than ${other} value ${limit}`;
export const ratioBelowOne = (ratio: string): string => `ratio ${ratio} is less than 1`;
export const ratioAboveMax = (ratio: string, max: number): string =>
  `ratio ${ratio} is greater than max/min = ${max.toFixed(6)}`;
export const equalDefaults = (value: string, request: string, name: string): string =>
  `default value ${value} must equal to defaultRequest value ${request} in ${name}`;

export const maxPriority = (max: number): string => `maximum allowed value of a user defined priority is ${max}`;
export const systemPriority = (reason: string): string =>
  `priority class names with 'system-' prefix are reserved for system use only. error: ${reason}`;
export const unknownSystemPriority = (name: string): string => `${name} is not a known system priority class`;
export const systemPriorityValue = (name: string, value: number): string =>
  `value of ${name} PriorityClass must be ${value}`;
export const systemPriorityDefault = (name: string): string => `globalDefault of ${name} PriorityClass must be false`;
export const notChanged = (): string => "may not be changed in an update.";

export const onlyPhase = (phase: string, isEnding: boolean): string =>
  `may only be '${phase}' if \`deletionTimestamp\` is ${isEnding ? "not " : ""}empty`;
export const notCleared = (): string => "field cannot be cleared once set";
export const notModified = (): string => "field cannot be modified once set";
export const mustBeSet = (field: string): string => reworded("1.34", "", `${field} must be set`);
