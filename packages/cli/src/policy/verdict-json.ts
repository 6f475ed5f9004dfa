/** A verdict for programs: the Status itself, and every step as data. */
import type { AdmissionAttributes } from "@portcullis/engine/policy/attributes";
import type { PolicyVerdict } from "@portcullis/engine/policy/dispatch";
import type { PassResult } from "@portcullis/engine/policy/evaluate";
import type { EvaluationTrace, PolicyTrace } from "@portcullis/engine/policy/trace";
import { statusBody } from "@portcullis/engine/status/error";
import { toPlain } from "@portcullis/engine/value/copy";
import { showValue } from "./explain.ts";

export function requestData(attributes: AdmissionAttributes): object {
  const { operation, resource, subresource, kind, name, namespace, userInfo, dryRun } = attributes;
  const user = { username: userInfo.name, groups: userInfo.groups };
  return { operation, resource, subresource, kind, name, namespace, user, dryRun };
}

export function verdictData(verdict: PolicyVerdict, options: { readonly explain: boolean }): object {
  const { allowed, error, warnings, auditAnnotations, denials, traces } = verdict;
  return {
    allowed,
    status: error && toPlain(statusBody(error)),
    warnings: [...new Set(warnings)],
    auditAnnotations: Object.fromEntries(auditAnnotations),
    denials,
    ...(options.explain ? { policies: traces.map(policyData) } : {}),
  };
}

function policyData({ policy, outcome, reason, bindings }: PolicyTrace): object {
  return {
    policy,
    outcome,
    reason,
    bindings: bindings.map(({ evaluations, ...binding }) => ({
      ...binding,
      evaluations: evaluations.map(evaluationData),
    })),
  };
}

function evaluationData({ param, steps, decisions, annotations }: EvaluationTrace): object {
  return {
    param,
    excludedBy: steps.excludedBy,
    matchConditions: passData(steps.matchConditions),
    validations: passData(steps.validations),
    messageExpressions: passData(steps.messageExpressions),
    auditAnnotations: passData(steps.auditAnnotations),
    decisions,
    annotations,
  };
}

function passData(pass: PassResult | undefined): object | undefined {
  if (pass === undefined) return undefined;
  return {
    remaining: pass.remaining,
    failure: pass.failure,
    variables: pass.variables.map(({ name, value, cost }) => ({ name, value: showValue(value), cost })),
    expressions: pass.results.map(({ value, ...result }) => ({
      ...result,
      value: value === undefined ? undefined : showValue(value),
    })),
  };
}
