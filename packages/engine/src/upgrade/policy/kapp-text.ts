/**
 * The result of the preflight check as kapp prints it: one line for the check, then one for each failed validation of a
 * CRD, whose further problems follow on lines of their own.
 *
 * kapp's words are used where kapp has a rule for the change; a change that is not decided has kapp's words for a change
 * without a rule; anything else keeps our own.
 */
import type { UpgradeFinding } from "../finding.ts";
import { CRD_UPGRADE_SAFETY, type PreflightConfig, type PreflightProblem, type Validation } from "./preflight.ts";

export function kappText(problems: readonly PreflightProblem[], { mode }: PreflightConfig): string {
  if (problems.length === 0) return "Succeeded";
  const start = mode === "error" ? "kapp: Error: preflight checks failed: " : "kapp: Warning: ";
  const head = `${start}running preflight check ${JSON.stringify(CRD_UPGRADE_SAFETY)}: validation for safe CRD upgrades failed`;
  const definitions = [...new Set(problems.map(({ finding }) => finding.definition))];
  return [head, ...definitions.flatMap((name) => definitionLines(name, problems))].join("\n");
}

function definitionLines(name: string, problems: readonly PreflightProblem[]): string[] {
  return VALIDATIONS.flatMap((validation) => {
    const own = problems.filter((each) => each.finding.definition === name && each.validation === validation);
    if (own.length === 0) return [];
    const lines = own.map(({ finding }) => problemLine(finding, validation));
    const head = `CustomResourceDefinition ${name} failed upgrade safety validation. ${JSON.stringify(validation)} validation failed: `;
    return [`${head}${lines[0]}`, ...lines.slice(1)];
  });
}

/** In the order in which kapp runs them. */
const VALIDATIONS: readonly Validation[] = [
  "NoScopeChange",
  "NoStoredVersionRemoved",
  "NoExistingFieldRemoved",
  "ChangeValidator",
];

function problemLine(finding: UpgradeFinding, validation: Validation): string {
  const { definition, version, path, message, change } = finding;
  if (validation === "NoScopeChange") return scopeText(message);
  if (validation === "NoStoredVersionRemoved") return `stored version ${JSON.stringify(version)} removed`;
  if (validation === "NoExistingFieldRemoved") {
    return `crd/${definition} version/${version} field/^${path} may not be removed`;
  }
  const place = `version ${JSON.stringify(version)}, field ${JSON.stringify(`^${path}`)}`;
  if (finding.verdict === "unknown") return `${place} has unknown change, refusing to determine that change is safe`;
  return `${place}: ${(change && limitText(change)) ?? message}`;
}

function scopeText(message: string): string {
  const [, before, after] = /changed from `([^`]*)` to `([^`]*)`/.exec(message) ?? [];
  return before === undefined ? message : `scope changed from ${JSON.stringify(before)} to ${JSON.stringify(after)}`;
}

const LIMITS: Readonly<Record<string, string>> = {
  minimum: "minimum",
  minLength: "minimum length",
  minItems: "minimum items",
  minProperties: "minimum properties",
  maximum: "maximum",
  maxLength: "maximum length",
  maxItems: "maximum items",
  maxProperties: "maximum properties",
};

function limitText({ keyword, detail, before, after }: NonNullable<UpgradeFinding["change"]>): string | undefined {
  if (keyword === "required" && detail !== "") return `new required fields added: [${detail}]`;
  if (keyword === "enum" && before === undefined) return "enums added when there were no enum restrictions previously";
  const limit = Object.hasOwn(LIMITS, keyword) ? LIMITS[keyword] : undefined;
  if (limit === undefined || after === undefined || before === after) return undefined;
  if (before === undefined) return `${limit} constraint added when one did not exist previously: ${after}`;
  return `${limit} constraint ${keyword.startsWith("min") ? "increased" : "decreased"} from ${before} to ${after}`;
}
