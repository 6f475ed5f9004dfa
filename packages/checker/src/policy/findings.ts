/** Turns verdicts into findings: refusals are errors, warnings are warnings, each at its field if that is known. */
import type { AdmissionAttributes } from "@portcullis/engine/internal/policy/attributes";
import type { PolicyVerdict } from "@portcullis/engine/internal/policy/dispatch";
import { type Denial, refusal } from "@portcullis/engine/internal/policy/enforce";
import { warned } from "@portcullis/engine/internal/policy/messages";
import type { AdmissionPolicy } from "@portcullis/engine/internal/policy/policy";
import type { PolicySet } from "@portcullis/engine/internal/policy/policy-set";
import { findingAt, findingInFile } from "../report/build.ts";
import type { Finding, Severity } from "../report/finding.ts";
import type { ManifestDocument } from "../report/manifest.ts";
import { blamedField } from "./blame.ts";

/** The position of the object; a file if the object has no position. */
export type Place = ManifestDocument | string;

export interface EvaluatedRequest {
  readonly verdict: PolicyVerdict;
  readonly attributes: AdmissionAttributes;
  readonly policies: PolicySet;
}

export function verdictFindings(place: Place, evaluated: EvaluatedRequest): Finding[] {
  const { verdict, attributes } = evaluated;
  const failures = failuresOf(evaluated);
  const about = (path: string, rule: string, severity: Severity, message: string): Finding =>
    typeof place === "string"
      ? findingInFile(place, { rule, severity, message })
      : findingAt(place, { rule, severity, message, path });
  const isDenial = (failure: Failure, { policy, binding, message }: Denial): boolean =>
    failure.policy === policy && failure.binding === binding && failure.message === message;
  const refusals = verdict.denials.map((denial) => {
    const path = failures.find((failure) => isDenial(failure, denial))?.path ?? "";
    return about(path, "policy/deny", "error", refusal(denial, attributes)?.message ?? denial.message);
  });
  const other = refusals.length === 0 && verdict.error !== undefined ? [verdict.error.message] : [];
  return [
    ...refusals,
    ...other.map((message) => about("", "policy/deny", "error", message)),
    ...[...new Set(verdict.warnings)].map((text) => {
      const path = failures.find(({ policy, binding, message }) => warned(policy, binding, message) === text)?.path;
      return about(path ?? "", "policy/warn", "warning", text);
    }),
  ];
}

/** A validation that failed. */
interface Failure {
  readonly policy: string;
  readonly binding: string;
  readonly message: string;
  readonly path: string;
}

function failuresOf({ verdict, attributes, policies }: EvaluatedRequest): readonly Failure[] {
  const byName = new Map(policies.hooks.map(({ policy }) => [policy.name, policy]));
  return verdict.traces.flatMap(({ policy: name, bindings }) => {
    const policy = byName.get(name);
    if (policy === undefined) return [];
    return bindings.flatMap(({ binding, evaluations }) =>
      evaluations.flatMap(({ decisions }) =>
        decisions.flatMap(({ action, message }, index) =>
          action === "deny"
            ? [{ policy: name, binding, message, path: fieldOf(policy, index, message, attributes) }]
            : [],
        ),
      ),
    );
  });
}

function fieldOf(policy: AdmissionPolicy, index: number, message: string, attributes: AdmissionAttributes): string {
  const expression = policy.validations[index]?.expression ?? "";
  return blamedField(message, expression, policy, attributes.object ?? attributes.oldObject ?? {});
}
