/** Turns verdicts into findings: refusals are errors, warnings are warnings, each at its field if that is known. */
import type { AdmissionAttributes } from "@portcullis/engine/internal/policy/attributes";
import type { PolicyVerdict } from "@portcullis/engine/internal/policy/dispatch";
import { type Denial, refusal } from "@portcullis/engine/internal/policy/enforce";
import { warned } from "@portcullis/engine/internal/policy/messages";
import type { AdmissionPolicy } from "@portcullis/engine/internal/policy/policy";
import type { PolicySet } from "@portcullis/engine/internal/policy/policy-set";
import { findingAt, findingInFile } from "../report/build.ts";
import type { Finding } from "../report/finding.ts";
import type { ManifestDocument } from "../report/manifest.ts";
import { blamedField } from "./blame.ts";
import type { FailureExplainer } from "./failure-parts.ts";

/** The position of the object; a file if the object has no position. */
export type Place = ManifestDocument | string;

export interface EvaluatedRequest {
  readonly verdict: PolicyVerdict;
  readonly attributes: AdmissionAttributes;
  readonly policies: PolicySet;
  /** Finds out which part of an expression failed; without it findings have no hints. */
  readonly explainer?: FailureExplainer | undefined;
}

export function verdictFindings(place: Place, evaluated: EvaluatedRequest): Finding[] {
  const { verdict, attributes } = evaluated;
  const failures = failuresOf(evaluated);
  const about = (
    failure: Partial<Failure> | undefined,
    parts: Pick<Finding, "rule" | "severity" | "message">,
  ): Finding => {
    const hint = failure?.hint?.();
    return typeof place === "string"
      ? findingInFile(place, { ...parts, hint })
      : findingAt(place, { ...parts, hint, path: failure?.path ?? "" });
  };
  const isDenial = (failure: Failure, { policy, binding, message }: Denial): boolean =>
    failure.policy === policy && failure.binding === binding && failure.message === message;
  const refusals = verdict.denials.map((denial) => {
    const failure = failures.find((each) => isDenial(each, denial));
    const message = refusal(denial, attributes)?.message ?? denial.message;
    return about(failure, { rule: "policy/deny", severity: "error", message });
  });
  const isDenied = (failure: Failure): boolean => verdict.denials.some((denial) => isDenial(failure, denial));
  const shown = new Set(verdict.warnings);
  const audited = failures.filter((failure) => !isDenied(failure) && !shown.has(warningOf(failure)));
  const other = refusals.length === 0 && verdict.error !== undefined ? [verdict.error.message] : [];
  return [
    ...refusals,
    ...other.map((message) => about(undefined, { rule: "policy/deny", severity: "error", message })),
    ...[...new Set(verdict.warnings)].map((text) => {
      const failure = failures.find((each) => warningOf(each) === text);
      return about(failure, { rule: "policy/warn", severity: "warning", message: text });
    }),
    ...audited.map((failure) =>
      about(failure, { rule: "policy/audit", severity: "note", message: warningOf(failure) }),
    ),
  ];
}

function warningOf({ policy, binding, message }: Failure): string {
  return warned(policy, binding, message);
}

/** A validation that failed. */
interface Failure {
  readonly policy: string;
  readonly binding: string;
  readonly message: string;
  readonly path: string;
  /** Which part failed. */
  readonly hint: () => string | undefined;
}

function failuresOf({ verdict, attributes, policies, explainer }: EvaluatedRequest): readonly Failure[] {
  const byName = new Map(policies.hooks.map(({ policy }) => [policy.name, policy]));
  return verdict.traces.flatMap(({ policy: name, bindings }) => {
    const policy = byName.get(name);
    if (policy === undefined) return [];
    return bindings.flatMap(({ binding, evaluations }) =>
      evaluations.flatMap(({ decisions, steps }) =>
        decisions.flatMap(({ action, message }, index) => {
          const path = fieldOf(policy, index, message, attributes);
          const hint = (): string | undefined => explainer?.hintFor(policy, index, steps.inputs);
          return action === "deny" ? [{ policy: name, binding, message, path, hint }] : [];
        }),
      ),
    );
  });
}

function fieldOf(policy: AdmissionPolicy, index: number, message: string, attributes: AdmissionAttributes): string {
  const expression = policy.validations[index]?.expression ?? "";
  return blamedField(message, expression, policy, attributes.object ?? attributes.oldObject ?? {});
}
