/** The result of a replay as text and as data. */
import type { AdmissionAttributes } from "@portcullis/engine/internal/policy/attributes";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import type { Decision } from "../decide.ts";
import type { WriteEvent } from "../write-event.ts";
import type { Example, PolicyHits, Summary } from "./summary.ts";
import type { Tally } from "./tally.ts";

/** One line of `-o jsonl`. */
export function decisionLine({ event }: WriteEvent, decision: Decision): string {
  const { code, message, denied, warned, audited, why } = decision;
  return JSON.stringify({
    auditID: event.auditID,
    decision: decision.decision,
    code,
    message,
    denied,
    warned,
    audited,
    why,
  });
}

export interface ReportParts {
  readonly summary: Summary;
  /** Lines that could not be read. */
  readonly problems: number;
  readonly policyChanges: number;
  /** What the decisions are compared with. */
  readonly comparedWith: string;
  readonly examples: ReadonlyMap<string, AdmissionAttributes>;
  /** Objects as YAML. */
  readonly format: (object: JsonObject) => string;
}

const SHOWN = 5;

export function reportText(parts: ReportParts): string {
  const { summary, problems, policyChanges, comparedWith } = parts;
  const { decisions, writes } = summary;
  const lines = [
    `${plural(writes, "write")}${span(summary)}: ${decisions.allowed} allowed, ${decisions.denied} denied, ${decisions.unknown} unknown`,
    `compared with ${comparedWith}: ${summary.newlyDenied} newly denied, ${summary.newlyAllowed} newly allowed`,
    ...(problems > 0 ? [`${plural(problems, "line")} could not be read`] : []),
    ...(policyChanges > 0 ? [`${plural(policyChanges, "change")} of policies in the log followed`] : []),
    ...hitsByName(summary).flatMap((hits) => ["", ...hitLines(hits, parts)]),
    ...unknownLines(summary.unknown),
  ];
  return `${lines.join("\n")}\n`;
}

function hitsByName({ policies }: Summary): PolicyHits[] {
  return [...policies.values()].sort(
    (left, right) => right.newly - left.newly || right.denied - left.denied || (left.policy < right.policy ? -1 : 1),
  );
}

function hitLines(hits: PolicyHits, { examples, format }: ReportParts): string[] {
  const counts = [
    `denies ${hits.denied}${hits.newly > 0 ? ` (${hits.newly} newly)` : ""}`,
    ...(hits.warned > 0 ? [`warns of ${hits.warned}`] : []),
    ...(hits.audited > 0 ? [`audits ${hits.audited}`] : []),
  ];
  const lines = [`${hits.policy}: ${counts.join(", ")}${span(hits)}`];
  if (hits.denied === 0) return lines;
  lines.push(
    ...tallyLine("users", hits.users),
    ...tallyLine("namespaces", hits.namespaces),
    ...tallyLine("clients", hits.clients),
    ...hits.messages.top(1).map(({ name }) => `  message     ${name}`),
  );
  return hits.example === undefined
    ? lines
    : [...lines, ...exampleLines(hits.example, examples.get(hits.policy), format)];
}

function tallyLine(title: string, tally: Tally): string[] {
  const shown = tally.top(SHOWN).filter(({ name }) => name !== "");
  if (shown.length === 0) return [];
  const more = tally.size > SHOWN ? `, and ${tally.size - SHOWN} more` : "";
  return [`  ${title.padEnd(11)} ${shown.map(({ name, count }) => `${name} ${count}`).join(", ")}${more}`];
}

function exampleLines(
  { auditID, attributes }: Example,
  minimal: AdmissionAttributes | undefined,
  format: (object: JsonObject) => string,
): string[] {
  const shown = minimal ?? attributes;
  const { operation, resource, name, userInfo } = attributes;
  const user = userInfo.name === "" ? "" : ` by ${userInfo.name}`;
  const head = `  example     ${operation} ${resource.resource} ${name}${user}${auditID === "" ? "" : ` (${auditID})`}`;
  const block = (title: string, object: JsonObject | undefined): string[] =>
    object === undefined
      ? []
      : [
          `    ${title}:`,
          ...format(object)
            .trimEnd()
            .split("\n")
            .map((line) => `      ${line}`),
        ];
  return [head, ...block("oldObject", shown.oldObject), ...block("object", shown.object)];
}

function unknownLines(unknown: Tally): string[] {
  if (unknown.size === 0) return [];
  return ["", "unknown because", ...unknown.top(SHOWN * 2).map(({ name, count }) => `  ${count}  ${name}`)];
}

function span({ first, last }: { readonly first: number | undefined; readonly last: number | undefined }): string {
  if (first === undefined || last === undefined) return "";
  return first === last ? `, at ${timeText(first)}` : `, from ${timeText(first)} to ${timeText(last)}`;
}

function timeText(microseconds: number): string {
  return new Date(microseconds / 1000).toISOString();
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** For programs. */
export function reportData({ summary, problems, policyChanges, comparedWith, examples }: ReportParts): object {
  const { writes, decisions, newlyDenied, newlyAllowed, first, last, unknown } = summary;
  const time = (each: number | undefined): string | undefined => (each === undefined ? undefined : timeText(each));
  return {
    writes,
    decisions,
    comparedWith,
    newlyDenied,
    newlyAllowed,
    unreadableLines: problems,
    policyChanges,
    first: time(first),
    last: time(last),
    unknown: unknown.top(SHOWN * 4),
    policies: hitsByName(summary).map((hits) => ({
      policy: hits.policy,
      denied: hits.denied,
      newly: hits.newly,
      warned: hits.warned,
      audited: hits.audited,
      first: time(hits.first),
      last: time(hits.last),
      users: hits.users.top(SHOWN * 4),
      namespaces: hits.namespaces.top(SHOWN * 4),
      clients: hits.clients.top(SHOWN * 4),
      messages: hits.messages.top(SHOWN),
      example: hits.example && exampleData(hits.example, examples.get(hits.policy)),
    })),
  };
}

function exampleData({ auditID, attributes }: Example, minimal: AdmissionAttributes | undefined): object {
  const { operation, resource, subresource, namespace, name, userInfo } = attributes;
  const { object, oldObject } = minimal ?? attributes;
  return { auditID, operation, resource, subresource, namespace, name, user: userInfo.name, object, oldObject };
}
