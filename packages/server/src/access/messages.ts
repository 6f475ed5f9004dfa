/** Upstream's messages about authorizers and their configuration. */
import { quote } from "@portcullis/gostd/quote";

export const everythingForbidden = (): string => "Everything is forbidden.";
export const noPolicyMatched = (): string => "No policy matched.";
export const noRulesOfWebhooks = (): string => "webhook authorizer does not support user rule resolution";
export const bothDecisions = (): string => "webhook subject access review returned both allow and deny response";

export const badPolicyLine = (file: string, line: number, text: string, reason: string): string =>
  `error reading policy file ${file}, line ${line}: ${text}: ${reason}`;
export const notAPolicy = (): string => "couldn't get version/kind; json parse error: not an object";
export const unregistered = (kind: string, version: string, scheme: string): string =>
  `no kind ${quote(kind)} is registered for version ${quote(version)} in scheme ${quote(scheme)}`;

export const notLoaded = (reason: string): string => `failed to load AuthorizationConfiguration from file: ${reason}`;
export const unknownFields = (fields: readonly string[]): string =>
  `strict decoding error: ${fields.map((field) => `unknown field ${quote(field)}`).join(", ")}`;
export const noAuthorizers = (): string => "at least one authorization mode must be defined";
export const invalidName = (problems: readonly string[]): string =>
  `authorizer name is invalid: ${problems.join(", ")}`;
export const webhookNeeded = (): string => "required when type=Webhook";
export const webhookNotAllowed = (): string => "may only be specified when type=Webhook";
export const timeoutRange = (): string => "must be > 0s and <= 30s";
export const notPositive = (): string => "must be > 0s";
export const reviewVersionNeeded = (): string => "required if match conditions are specified";
export const fileNotAllowed = (): string => "can only be set when type=KubeConfigFile";
export const notAbsolute = (): string => "must be an absolute path";
export const notRegular = (): string => "must be a regular file";
export const fileProblem = (problem: string): string => `error loading file: ${problem}`;
export const expectedName = (expected: string, type: string, found: string): string =>
  `expected name ${expected} for authorizer ${type} instead of ${found}`;
export const missingTypes = (types: readonly string[]): string => `missing required types: [${types.join(" ")}]`;
