/** Messages about flow schemas and priority levels. */
import { reworded } from "../../../value/server-version.ts";
export const positivePrecedence = (): string => "must be a positive value";
export const notAbove = (limit: number): string => `must not be greater than ${limit}`;
export const firstPrecedence = (): string => "only the schema named 'exempt' may have matchingPrecedence 1";
export const needLevel = (): string => "must reference a priority level";
export const needSubjects = (): string => "subjects must contain at least one value";
export const needRules = (): string => "at least one of resourceRules and nonResourceRules has to be non-empty";
export const subjectNeeded = (member: string, kind: string): string =>
  `${member} is required when subject kind is '${kind}'`;
export const otherSubject = (member: string, kind: string): string =>
  `${member} is forbidden when subject kind is not '${kind}'`;
export const needNamespace = (): string => "must specify namespace for service account";
export const starAlone = (others: string): string => `if '*' is present, must not specify other ${others}`;
export const needUrls = (): string => "nonResourceURLs must contain at least one value";
export const needNamespaces = (): string =>
  "resource rules that are not cluster scoped must supply at least one namespace";
export const badNamespace = (problem: string): string =>
  `each member of this list must be '*' or a DNS-1123 label; ${problem}`;
export const leadingSlash = (): string => "must start with slash";
export const whiteSpace = (): string => "must not contain white-space";
export const doubleSlash = (): string => "must not contain double slash";
export const wildcardAtEnd = (): string => "wildcard can only do suffix matching";
export const fixedSpec = (name: string): string => `spec of '${name}' must equal the fixed value`;

export const oldAnnotation = (key: string): string => `annotation '${key}' is forbidden`;
export const exemptAlone = (): string =>
  reworded(
    "1.34",
    "must be 'Exempt' if and only if `name` is 'exempt'",
    "type must be 'Exempt' if and only if name is 'exempt'",
  );
export const needType = (): string => reworded("1.34", "", "must not be empty");
export const noLimited = (): string => "must be nil if the type is not Limited";
export const noExempt = (): string => "must be nil if the type is Limited";
export const needLimited = (): string => "must not be empty when type is Limited";
export const wholeNumber = (): string => "must be a non-negative integer";
export const wholeNumberIfSet = (): string => "if specified, must be a non-negative integer";
export const noQueuing = (): string => "must be nil if limited.limitResponse.type is not Limited";
export const needQueuing = (): string => "must not be empty if limited.limitResponse.type is Limited";
export const positive = (): string => "must be positive";
export const largeHand = (queues: number): string => `should not be greater than queues (${queues})`;
export const entropy = (queues: number, hand: number, bits: number): string =>
  `required entropy bits of deckSize ${queues} and handSize ${hand} should not be greater than ${bits}`;
export const fixedButExempt = (name: string): string =>
  `spec of '${name}' except the 'spec.exempt' field must equal the fixed value`;
export const conditionTypeNeeded = (): string => reworded("1.34", "", "must not be empty");
