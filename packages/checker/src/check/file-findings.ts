/** What findings mean in their file: some are about values that another tool still replaces or completes. */
import { findingInFile } from "../report/build.ts";
import type { Finding } from "../report/finding.ts";
import { join } from "../repository/paths.ts";
import { findPlaceholder } from "../repository/placeholders.ts";
import type { InputFile } from "../repository/survey.ts";

/** `text` is the text of the file. */
export function adaptToFile(findings: readonly Finding[], input: InputFile, text: string): readonly Finding[] {
  if (findings.length === 0) return findings;
  const own = withoutPlaceholders(findings, input, text).map((finding) => completedLater(finding, input));
  if (input.kustomization !== undefined) return own.map((finding) => ({ ...finding, source: input.kustomization }));
  return input.text === undefined || !text.includes(SOURCE) ? own : withSources(own, input, text);
}

const SOURCE = "# Source: ";

/** Helm writes the name of the template above each document. */
function withSources(findings: readonly Finding[], { chart }: InputFile, text: string): readonly Finding[] {
  const sources: string[] = [];
  let current = "";
  for (const line of text.split("\n")) {
    if (line.startsWith(SOURCE)) current = line.slice(SOURCE.length).trim();
    sources.push(current);
  }
  return findings.map((finding) => {
    const source = sources[(finding.range?.start.line ?? 0) - 1] ?? "";
    if (source === "") return finding;
    // The first name is that of the chart.
    return { ...finding, source: chart === undefined ? source : join(chart, source.slice(source.indexOf("/") + 1)) };
  });
}

/** Findings about placeholders become one note. */
function withoutPlaceholders(
  findings: readonly Finding[],
  { file, isNamed }: InputFile,
  text: string,
): readonly Finding[] {
  const lines = text.split("\n");
  const found = new Map<Finding, string>();
  for (const finding of findings) {
    const placeholder =
      placeholderInMessage(finding, text, isNamed) ?? findPlaceholder(valueText(finding, lines), { isNamed });
    if (placeholder !== undefined) found.set(finding, placeholder);
  }
  if (found.size === 0) return findings;
  const names = [...new Set(found.values())];
  const shown = names.slice(0, MAX_NAMES).map((name) => `\`${name}\``);
  const message = `values with placeholders are not checked: ${shown.join(", ")}${names.length > MAX_NAMES ? " and others" : ""}`;
  const hint = names.some((name) => name.startsWith("${"))
    ? "replace them with --set NAME=VALUE or --env-subst FILE"
    : undefined;
  const [range] = [...found.keys()].flatMap((finding) => finding.range ?? []);
  const note = findingInFile(file, { rule: "input/placeholder", severity: "note", message, hint }, range);
  return [...findings.filter((finding) => !found.has(finding)), note];
}

const MAX_NAMES = 3;

/** A message has words of its own that look like one, such as `<input>` of CEL. What the file has is a placeholder. */
function placeholderInMessage({ message }: Finding, text: string, isNamed: boolean): string | undefined {
  const found =
    findPlaceholder(message.replaceAll("<input>", ""), { isNamed }) ?? (isNamed ? undefined : addressName(message));
  return found !== undefined && text.includes(found) ? found : undefined;
}

const ABOUT_ADDRESSES = /must be of type (?:cidr|ip|ipv4|ipv6)\b|must be a valid (?:IP|IPv4|IPv6|CIDR)\b/;
const IN_CAPITALS = /"([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?:\/\d+)?"/;

/** Manifests of tests have names in place of addresses: `NODE_IP/32`. */
function addressName(message: string): string | undefined {
  return ABOUT_ADDRESSES.test(message) ? IN_CAPITALS.exec(message)?.[1] : undefined;
}

/** The value that the finding is about. Of a longer one, only a text or what an alternative has to accept as a whole. */
function valueText({ range, rule }: Finding, lines: readonly string[]): string {
  if (range === undefined) return "";
  const { start, end } = range;
  const first = (lines[start.line - 1] ?? "").slice(start.column - 1);
  if (start.line === end.line) return first.slice(0, end.column - start.column);
  if (!BLOCK_SCALAR.test(first) && !OF_ALTERNATIVES.test(rule)) return "";
  return [first, ...lines.slice(start.line, end.line)].join("\n");
}

const BLOCK_SCALAR = /^[|>]/;
const OF_ALTERNATIVES = /^schema\/(?:anyOf|oneOf|allOf|not)$/;

const MAY_BE_ADDED = /: Required value|does not match template `labels`/;
const SUBJECT_NAMESPACE = /^subjects\[\d+\]\.namespace: Required value/;

/** A kustomization adds labels, selectors and namespaces, and its patches may add any field. So may an object that exists. */
function completedLater(finding: Finding, { changedBy, namespacedBy, mergedBy }: InputFile): Finding {
  const { severity, message } = finding;
  if (severity !== "error") return finding;
  if (mergedBy !== undefined && MAY_BE_ADDED.test(message)) {
    return { ...finding, severity: "note", hint: `\`${mergedBy}\` may merge it into an object that exists` };
  }
  if (changedBy !== undefined && MAY_BE_ADDED.test(message)) return changedIn(changedBy, "may add it", finding);
  if (namespacedBy === undefined) return finding;
  if (SUBJECT_NAMESPACE.test(message)) return changedIn(namespacedBy, "may add it", finding);
  return isReplacedNamespace(finding) ? changedIn(namespacedBy, "replaces it", finding) : finding;
}

function changedIn(by: string, what: string, finding: Finding): Finding {
  const folder = by === "" ? "." : by;
  const hint = `the kustomization in \`${folder}\` ${what}; \`portcullis check -k ${folder}\` checks the result`;
  return { ...finding, severity: "note", hint };
}

/** Its namespace becomes that of the objects, and the name of a namespace, which is also a label. */
function isReplacedNamespace({ message, object }: Finding): boolean {
  if (message.startsWith("metadata.namespace: Invalid value: ")) return true;
  if (object?.kind !== "Namespace" || object.apiVersion !== "v1") return false;
  const value = `: Invalid value: ${JSON.stringify(object.name)}: `;
  return message.startsWith(`metadata.name${value}`) || message.startsWith(`metadata.labels${value}`);
}
