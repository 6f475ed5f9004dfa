/**
 * The match conditions of a webhook. They are compiled once for each webhook, as stored expressions.
 *
 * Follows apiserver pkg/admission/plugin/webhook/matchconditions.
 */

import type { Authorizer } from "../kubecel/library/authz.ts";
import { MATCH_CONDITIONS_COST_BUDGET } from "../kubecel/limits.ts";
import type { KubernetesVersion } from "../kubecel/versions.ts";
import { Activation, requestObject } from "../policy/activation.ts";
import type { AdmissionAttributes, GroupVersionKind } from "../policy/attributes.ts";
import { type CompiledExpression, ExpressionCompiler, RETURNS_BOOL } from "../policy/compile.ts";
import { type ConditionsObservation, conditionsObservation } from "../policy/enforce.ts";
import { type Clock, conditionsVerdict, runPass } from "../policy/evaluate.ts";
import { nothing } from "../policy/request-views.ts";
import type { JsonObject } from "../value/json.ts";
import type { AdmissionWebhook } from "./webhook.ts";

export interface ConditionsContext {
  readonly authorizer: Authorizer;
  /** The version whose expressions may be used. */
  readonly version: KubernetesVersion;
  readonly clock: Clock;
}

/** The objects in the version that is sent to the webhook. */
export interface VersionedObjects {
  readonly kind: GroupVersionKind;
  readonly object: JsonObject | undefined;
  readonly oldObject: JsonObject | undefined;
}

export interface ConditionsResult {
  readonly matches: boolean;
  /** Refuses the request. */
  readonly error: string | undefined;
  /** The name of the condition that is false. */
  readonly excludedBy: string | undefined;
  /** Undefined if all conditions hold. */
  readonly observation: ConditionsObservation | undefined;
}

export function evaluateConditions(
  webhook: AdmissionWebhook,
  attributes: AdmissionAttributes,
  { kind, object, oldObject }: VersionedObjects,
  { authorizer, version, clock }: ConditionsContext,
): ConditionsResult {
  const inputs = {
    object,
    oldObject,
    params: undefined,
    namespaceObject: nothing,
    request: () => requestObject(attributes, { resource: attributes.resource, kind }),
    authorizer: { authorizer, attributes },
  };
  const activation = new Activation(inputs, new Map());
  const pass = runPass(compiledConditions(webhook, version), activation, MATCH_CONDITIONS_COST_BUDGET, clock);
  const { matches, excludedBy, error } = conditionsVerdict(pass, webhook.failurePolicy);
  const observation = conditionsObservation(webhook.name, pass, excludedBy);
  const name = excludedBy === undefined ? undefined : webhook.matchConditions[excludedBy]?.name;
  return { matches, error, excludedBy: name, observation };
}

interface Compilation {
  readonly version: KubernetesVersion;
  readonly compiled: readonly CompiledExpression[];
}

const compilations = new WeakMap<AdmissionWebhook, Compilation>();

function compiledConditions(webhook: AdmissionWebhook, version: KubernetesVersion): readonly CompiledExpression[] {
  const known = compilations.get(webhook);
  if (known?.version === version) return known.compiled;
  const compiler = new ExpressionCompiler({ serverVersion: version, composes: false });
  const declarations = { hasParams: false, hasAuthorizer: true };
  const compiled = webhook.matchConditions.map(({ expression }) =>
    compiler.compile(expression, RETURNS_BOOL, declarations, "stored"),
  );
  compilations.set(webhook, { version, compiled });
  return compiled;
}
