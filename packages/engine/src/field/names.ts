/**
 * The rules for Kubernetes names, as lists of complaints.
 *
 * Lengths are in bytes. The DNS checks call them "characters" and the label checks "bytes": they come from two
 * generations of upstream code. Follows apimachinery util/validation and api/validate/content.
 */
import { byteLength } from "@portcullis/gostd/utf8";
import { reworded } from "../value/server-version.ts";

export function checkDnsLabel(name: string): string[] {
  const problems = byteLength(name) > 63 ? [tooManyCharacters(63)] : [];
  if (DNS_LABEL.test(name)) return problems;
  const problem = DNS_SUBDOMAIN.test(name)
    ? "must not contain dots"
    : regexError(DNS_LABEL_RULE, dnsLabel, ["my-name", "123-abc"]);
  return [...problems, problem];
}

export function checkDnsSubdomain(name: string): string[] {
  const problems = byteLength(name) > 253 ? [tooManyCharacters(253)] : [];
  return DNS_SUBDOMAIN.test(name) ? problems : [...problems, subdomainError()];
}

/** A subdomain below any one name: `*.example.com`. */
export function checkWildcardSubdomain(name: string): string[] {
  const problems = byteLength(name) > 253 ? [tooManyCharacters(253)] : [];
  if (name.startsWith("*.") && DNS_SUBDOMAIN.test(name.slice(2))) return problems;
  return [...problems, regexError(WILDCARD_RULE, `\\*\\.${dnsSubdomain}`, ["*.example.com"])];
}

export function checkDns1035Label(name: string): string[] {
  const problems = byteLength(name) > 63 ? [tooManyCharacters(63)] : [];
  if (DNS_1035_LABEL.test(name)) return problems;
  return [...problems, regexError(DNS_1035_RULE, dns1035Label, ["my-name", "abc-123"])];
}

/** Cache of valid keys: the same few keys are in nearly every object. */
const rightKeys = new Set<string>();
const MAX_RIGHT_KEYS = 4096;

/** A label key: an optional DNS subdomain and a slash, then a name. */
export function checkQualifiedName(text: string): string[] {
  if (rightKeys.has(text)) return [];
  const problems = qualifiedNameProblems(text);
  if (problems.length === 0) {
    if (rightKeys.size === MAX_RIGHT_KEYS) rightKeys.clear();
    rightKeys.add(text);
  }
  return problems;
}

function qualifiedNameProblems(text: string): string[] {
  const parts = text.split("/");
  if (parts.length > 2) return [`${LABEL_KEY_NAME()} ${labelKeyError()}${WITH_PREFIX}`];
  const name = parts.at(-1) ?? "";
  return [...(parts.length === 2 ? checkPrefix(parts[0] ?? "") : []), ...checkKeyName(name)];
}

export function checkLabelValue(value: string): string[] {
  const problems = byteLength(value) > 63 ? [tooManyBytes(63)] : [];
  if (LABEL_VALUE.test(value)) return problems;
  return [...problems, regexError(LABEL_VALUE_RULE, labelValue, ["MyValue", "my_value", "12345"])];
}

/** For names that get a suffix: a dash at the end will not stay there. Takes the character before it along. */
export function maskTrailingDash(name: string): string {
  return /[\0-\x7f]-$/.test(name) ? `${name.slice(0, -2)}a` : name;
}

function checkPrefix(prefix: string): string[] {
  if (prefix === "") return ["prefix part must be non-empty"];
  const problems = byteLength(prefix) > 253 ? [tooManyBytes(253)] : [];
  if (!DNS_SUBDOMAIN.test(prefix)) problems.push(subdomainError());
  return problems.map((problem) => `prefix part ${problem}`);
}

function checkKeyName(name: string): string[] {
  const problems: string[] = [];
  if (name === "") problems.push("name part must be non-empty");
  else if (byteLength(name) > 63) problems.push(`name part ${tooManyBytes(63)}`);
  if (!LABEL_KEY.test(name)) problems.push(`name part ${labelKeyError()}`);
  return problems;
}

const dnsLabel = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const dnsSubdomain = `${dnsLabel}(\\.${dnsLabel})*`;
const dns1035Label = "[a-z]([-a-z0-9]*[a-z0-9])?";
const labelKey = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
const labelValue = `(${labelKey})?`;

// Our own patterns, the same for RE2 and JavaScript, and linear: each character can be matched in one way only.
const DNS_LABEL = new RegExp(`^${dnsLabel}$`);
const DNS_SUBDOMAIN = new RegExp(`^${dnsSubdomain}$`);
const DNS_1035_LABEL = new RegExp(`^${dns1035Label}$`);
const LABEL_KEY = new RegExp(`^${labelKey}$`);
const LABEL_VALUE = new RegExp(`^${labelValue}$`);

const DNS_LABEL_RULE =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character";
const DNS_SUBDOMAIN_RULE =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";
const WILDCARD_RULE =
  "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character";
const DNS_1035_RULE =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character";
const LABEL_KEY_RULE =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const LABEL_VALUE_RULE =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const WITH_PREFIX = " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')";

const tooManyCharacters = (max: number): string => `must be no more than ${max} characters`;
const tooManyBytes = (max: number): string =>
  reworded("1.35", `must be no more than ${max} bytes`, tooManyCharacters(max));
const LABEL_KEY_NAME = (): string => reworded("1.35", "a valid label key", "a qualified name");
const subdomainError = (): string => regexError(DNS_SUBDOMAIN_RULE, dnsSubdomain, ["example.com"]);
const labelKeyError = (): string => regexError(LABEL_KEY_RULE, labelKey, ["MyName", "my.name", "123-abc"]);

function regexError(rule: string, pattern: string, examples: readonly string[]): string {
  const shown = examples.map((example) => `'${example}', `).join(" or ");
  return `${rule} (e.g. ${shown}regex used for validation is '${pattern}')`;
}

const NOT_IN_PATH: readonly string[] = ["/", "%"];

/** Names of resources that become part of a URL path. A prefix (for generateName) may be `.` or `..`. */
export function checkPathSegment(name: string, isPrefix: boolean): string[] {
  if (!isPrefix && (name === "." || name === "..")) return [`may not be '${name}'`];
  return NOT_IN_PATH.filter((text) => name.includes(text)).map((text) => `may not contain '${text}'`);
}
