/** What the conversion has to say: what it changed on its own account, and what it could not convert. */

export interface DraftFinding {
  /** An error names something the converted objects lack; a warning something that was read generously. */
  readonly level: "error" | "warning";
  /** `ValidatingAdmissionPolicy/name` */
  readonly object: string;
  /** The field concerned, such as `spec.validations[0].rule`. */
  readonly path: string;
  readonly message: string;
}

export type Report = (level: DraftFinding["level"], path: string, message: string) => void;

export const trailingComma = (text: string): string => `the comma at the end of \`${text}\` was taken for a slip`;
export const rulesUnderExpression = (): string => "rules are listed under `expression`; they were read as `rules`";
export const noMatch = (): string => "the policy does not say what it is for; it was converted to match everything";
export const noConfigNoSingleton = (): string =>
  "the policy has neither `config` nor `policyType: Singleton`; it was converted as a singleton";
export const configInferred = (kind: string): string =>
  `the policy reads \`config\` but names no configuration kind; the only one at hand, ${kind}, was taken`;
export const configUnknown = (): string => "the policy reads `config` but names no configuration kind";
export const singletonWithConfig = (): string => "a singleton policy has no configuration; `config` was left out";
export const unusedConfigKind = (kind: string): string =>
  `there is no configuration object of kind ${kind}, so nothing binds the policy`;
export const configField = (field: string, config: string): string =>
  `\`config.${field}\` is read, but ${config} has no field \`${field}\``;
export const renamed = (from: string, to: string): string =>
  `two policies are called \`${from}\`; this one is now \`${to}\``;
export const objectShortcut = (from: string, to: string): string => `\`${from}\` was read as \`${to}\``;
export const notInOrder = (): string => "`!a in b` means `(!a) in b`; it was read as `!(a in b)`";
export const anyMacro = (): string => "`any` is not a macro; it was read as `exists`";
export const metadataOnly = (field: string): string =>
  `the policy matches several kinds, so only metadata is accessible: undefined field '${field}'`;
export const doesNotParse = (problem: string): string => `the expression does not parse: ${problem}`;
export const bothExpressions = (): string => "`rule` was left out because there is an `expression`";
export const unknownField = (field: string): string => `\`${field}\` means nothing here and was left out`;
export const statusDropped = (): string => "the status is not converted; it is written anew";
export const codeLossy = (code: string, reason: string): string =>
  `no reason stands for code ${code}; the request will be refused with ${reason}`;
export const severityUnknown = (severity: string): string =>
  `severity \`${severity}\` is unknown, one of Error, Warning, Audit; the request is denied`;
export const excludeOrder = (): string =>
  "an exclude rule stands below a rule that includes some of the same requests; the order is kept by a match condition";
export const exactExclude = (): string =>
  "the exclude rule names versions while the policy converts between them; it became a match condition on the requested version";
export const bindingCondition = (field: string): string =>
  `\`${field}\` of a configuration cannot be converted: bindings have no match conditions`;
export const badMatch = (problem: string): string => `the match criteria are malformed: ${problem}`;
export const notAccepted = (problem: string): string => `the converted policy would be refused: ${problem}`;
export const defaultMissing = (name: string): string => `the default configuration \`${name}\` does not exist`;
export const defaultApart = (name: string): string =>
  `the default configuration applies where no other does; its validations are in the policy \`${name}\``;
export const scopeNotAPath = (scope: string): string =>
  `\`${scope}\` is a type; without the schemas of the matched kinds its places are not known`;
export const scopeMalformed = (scope: string): string => `\`${scope}\` is not a field path`;
export const scopeOldSelf = (): string => "`oldSelf` of list elements cannot be converted: elements have no identity";
export const partApart = (what: string, name: string): string =>
  `validations with ${what} are in the policy \`${name}\``;
