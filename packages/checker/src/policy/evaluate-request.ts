/** Evaluates mutating and then validating policies for a request, as the API server does. */
import { webhooksOf } from "@portcullis/engine/internal/admission/explained-webhooks";
import { attributesOf } from "@portcullis/engine/internal/admission/validating-policies";
import { aggregate, formatFieldError } from "@portcullis/engine/internal/field/format";
import type { AdmissionAttributes } from "@portcullis/engine/internal/policy/attributes";
import { evaluatePolicies, type PolicyVerdict } from "@portcullis/engine/internal/policy/dispatch";
import { joinRuns, type MutationVerdict, mutateFully } from "@portcullis/engine/internal/policy/mutating/dispatch";
import type {
  AdmissionPlugin,
  AdmissionRequest,
  WebhooksVerdict,
} from "@portcullis/engine/internal/review/cluster-view";
import type { ResourceKind } from "@portcullis/engine/internal/review/kind";
import type { Outcome } from "@portcullis/engine/internal/review/outcome";
import { review } from "@portcullis/engine/internal/review/review";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { metaText, withMeta } from "@portcullis/engine/internal/value/metadata";
import { explainWebhooks } from "@portcullis/engine/internal/webhooks/explain";
import { UsageError } from "../input/usage-error.ts";
import { changedLines } from "./changes.ts";
import * as messages from "./messages.ts";
import type { PolicyCluster } from "./policy-cluster.ts";
import { makeRequest, type Request, type RequestParts } from "./request.ts";
import { deleteOf, liveOf, type WriteParts, writeOf } from "./write.ts";

export interface EvaluatedRequest {
  readonly attributes: AdmissionAttributes;
  readonly verdict: PolicyVerdict;
  /** What mutating policies did; undefined if there are none. */
  readonly mutation: Mutated | undefined;
  /** Which webhooks would be asked; empty where there are none. */
  readonly webhooks: readonly WebhooksVerdict[];
  /** Notes for the reader of the result. */
  readonly notes: readonly string[];
}

export interface Mutated extends MutationVerdict {
  /** One line per changed field. */
  readonly changes: readonly string[];
  /** The object before mutation. */
  readonly before: JsonObject | undefined;
}

export async function evaluateRequest(parts: RequestParts, policies: PolicyCluster): Promise<EvaluatedRequest> {
  const request = makeRequest(parts, policies.kinds);
  const kind = reviewableKind(parts, request, policies);
  return kind === undefined ? evaluateAsGiven(request, policies) : evaluateWrite(parts, request, { kind, policies });
}

/** The kind whose write can be reviewed; undefined for CONNECT, other subresources, unknown kinds and raw objects. */
function reviewableKind(parts: RequestParts, { attributes }: Request, { cluster }: PolicyCluster) {
  const { operation, subresource, resource, object, oldObject } = attributes;
  if (parts.isRaw === true || operation === "CONNECT" || (object ?? oldObject) === undefined) return undefined;
  const kind = cluster.kinds.find(resource.group, resource.version, resource.resource);
  return subresource === "" || (subresource === "status" && kind?.subresources.has("status")) ? kind : undefined;
}

/** The objects are used as they are, without defaults. */
async function evaluateAsGiven({ attributes, notes }: Request, policies: PolicyCluster): Promise<EvaluatedRequest> {
  const mutation = mutateAsGiven(attributes, policies);
  const changed =
    mutation?.error === undefined ? { ...attributes, object: mutation?.object ?? attributes.object } : attributes;
  const verdict =
    mutation?.error === undefined
      ? evaluatePolicies(policies.policies, changed, policies.context)
      : { ...NO_VERDICT, allowed: false, error: mutation.error };
  const webhooks = mutation?.error === undefined ? await webhooksAsGiven(changed, policies) : [];
  return { attributes: changed, verdict, mutation, webhooks, notes };
}

async function webhooksAsGiven(attributes: AdmissionAttributes, policies: PolicyCluster): Promise<WebhooksVerdict[]> {
  const { cluster, context } = policies;
  const verdicts: WebhooksVerdict[] = [];
  for (const type of ["mutating", "validating"] as const) {
    const set = await webhooksOf(cluster, type);
    const explanations = explainWebhooks(set, attributes, { ...context, version: policies.version });
    if (explanations.length > 0) verdicts.push({ type, error: undefined, explanations });
  }
  return verdicts;
}

function mutateAsGiven(attributes: AdmissionAttributes, policies: PolicyCluster): Mutated | undefined {
  if (!hasMutating(policies)) return undefined;
  return withChanges(mutateFully(policies.mutating, attributes, policies.context), attributes.object);
}

function hasMutating({ mutating: { hooks, unbound } }: PolicyCluster): boolean {
  return hooks.length + unbound.length > 0;
}

function withChanges(verdict: MutationVerdict, before: JsonObject | undefined): Mutated {
  const { object } = verdict;
  const changes = before === undefined || object === undefined ? [] : changedLines(before, object);
  return { ...verdict, changes, before };
}

/** No policy was evaluated. */
const NO_VERDICT: Omit<PolicyVerdict, "allowed" | "error"> = {
  warnings: [],
  auditAnnotations: new Map(),
  denials: [],
  traces: [],
  observations: [],
  conditions: [],
};

interface Reviewable {
  readonly kind: ResourceKind;
  readonly policies: PolicyCluster;
}

async function evaluateWrite(
  parts: RequestParts,
  request: Request,
  { kind, policies }: Reviewable,
): Promise<EvaluatedRequest> {
  let seen: AdmissionRequest | undefined;
  const observer: AdmissionPlugin = {
    validate: async (each) => {
      seen = each;
    },
  };
  const [mutating, validating] = policies.admission;
  const plugins = [
    ...(mutating && hasMutating(policies) ? [mutating] : []),
    policies.webhooks.mutating,
    observer,
    ...(validating ? [validating] : []),
    policies.webhooks.validating,
  ];
  const write = writeFor(parts, request, { kind, policies });
  const outcome = await review(write, policies.cluster.withAdmission(plugins));
  const mutation = mutationOf(outcome);
  const decision = outcome.admission.find(({ plugin }) => plugin === "ValidatingAdmissionPolicy");
  const isDecided = decision?.plugin === "ValidatingAdmissionPolicy";
  if (seen === undefined && outcome.refusal !== undefined && mutation?.error === undefined) {
    throw new UsageError(outcome.refusal.message);
  }
  const { name, userInfo } = request.attributes;
  const attributes =
    seen === undefined
      ? request.attributes
      : { ...attributesOf(seen, "validating"), userInfo, ...(parts.name !== undefined && { name }) };
  const verdict = isDecided
    ? decision.verdict
    : { ...NO_VERDICT, allowed: mutation?.error === undefined, error: mutation?.error };
  const webhooks = outcome.admission.flatMap((each) => (each.plugin === "AdmissionWebhooks" ? [each.verdict] : []));
  return { attributes, verdict, mutation, webhooks, notes: [...request.notes, ...validityNotes(outcome)] };
}

function writeFor(parts: RequestParts, { attributes }: Request, { kind, policies }: Reviewable) {
  const { object, oldObject, operation, subresource, namespace, userInfo, dryRun } = attributes;
  const live = oldObject && liveOf(oldObject, kind, policies.cluster);
  if (typeof live === "string") throw new UsageError(live);
  const subject = object ?? oldObject;
  if (subject === undefined) throw new UsageError(messages.requestWithoutObject());
  const write: WriteParts = {
    kind,
    subresource,
    object: subject,
    live: live && renamed(live, subject),
    fieldValidation: "Ignore",
    user: userInfo,
    namespace,
    isDryRun: dryRun,
    options: parts.options,
  };
  return operation === "DELETE" ? deleteOf(write) : writeOf(write);
}

/** People may write the old and the new object with different names; a request has only one name. */
function renamed(live: JsonObject, object: JsonObject): JsonObject {
  const name = metaText(object, "name");
  return name === "" || name === metaText(live, "name") ? live : withMeta(live, { name });
}

function mutationOf({ admission }: Outcome): Mutated | undefined {
  const runs = admission.filter((decision) => decision.plugin === "MutatingAdmissionPolicy");
  const [first] = runs;
  if (first === undefined) return undefined;
  const joined = runs.map(({ verdict }) => verdict).reduce(joinRuns);
  return withChanges(joined, first.request.object);
}

function validityNotes({ refusal }: Outcome): string[] {
  const errors = refusal?.fieldErrors ?? [];
  return errors.length === 0 || refusal?.reason !== "Invalid" || refusal.fieldErrors.length === 0
    ? []
    : [messages.notValid(aggregate(errors.map(formatFieldError)))];
}
