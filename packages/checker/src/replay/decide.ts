/**
 * What would have been decided about a write of the log.
 *
 * Where the log leaves several possibilities, a decision is made if all of them agree; otherwise it is unknown, and the
 * reason is given. A request that never came to what is evaluated is refused as it was.
 */
import type { KubernetesVersion } from "@portcullis/engine/internal/kubecel/versions";
import { isAboutPods } from "@portcullis/engine/internal/podsecurity/admit";
import type { PodSecurityConfiguration } from "@portcullis/engine/internal/podsecurity/configuration";
import { isFullyPrivileged, LABEL_PREFIX } from "@portcullis/engine/internal/podsecurity/level";
import type { AdmissionAttributes } from "@portcullis/engine/internal/policy/attributes";
import type { PolicyHook } from "@portcullis/engine/internal/policy/policy-set";
import type { Alternative } from "./alternative.ts";
import { alternativesOf, type PolicyInputs } from "./alternatives.ts";
import { collectionAlternatives } from "./effects/collection.ts";
import { type Evaluated, evaluate, NOTHING } from "./evaluate.ts";
import type { Upcoming } from "./old-object.ts";
import { type Plan, planOf } from "./plan.ts";
import type { Policies, ReplayCluster } from "./replay-cluster.ts";
import type { WriteEvent } from "./write-event.ts";

export interface Decision {
  readonly decision: "allowed" | "denied" | "unknown";
  readonly code?: number | undefined;
  readonly message?: string | undefined;
  /** The policies that refuse it. */
  readonly denied?: readonly string[] | undefined;
  readonly warned?: readonly string[] | undefined;
  readonly audited?: readonly string[] | undefined;
  /** Why it is not known, or what else is to be said. */
  readonly why?: string | undefined;
  /** The request as it was evaluated, if it was refused. */
  readonly attributes?: AdmissionAttributes | undefined;
}

export interface DecisionContext {
  readonly cluster: ReplayCluster;
  readonly version: KubernetesVersion;
  readonly podSecurity: PodSecurityConfiguration;
  readonly upcoming: Upcoming;
  /** Places of the kinds whose definitions are to be tried. */
  readonly definitions: ReadonlySet<string>;
}

/** The decision about a request that is known as a whole, such as an AdmissionReview. */
export function decideAlternative(alternative: Alternative, write: WriteEvent, context: DecisionContext): Decision {
  const { event } = write;
  const policySets = context.cluster.policies(event.received, event.at);
  const all = policySets.flatMap((policies) =>
    evaluateAll([alternative], planOf(policies, write, context.cluster), write, context),
  );
  return finish(all, write, policySets.length);
}

/** What one policy says about a request that it refuses, as the cluster is at the end of the log. */
export function refusalText(
  hook: PolicyHook,
  attributes: AdmissionAttributes,
  context: DecisionContext,
): string | undefined {
  const { cluster } = context;
  const time = Number.MAX_VALUE;
  const plan: Plan = {
    operation: attributes.operation,
    hooks: [hook],
    mutates: false,
    readsObject: true,
    readsOld: true,
  };
  const authorizer = cluster.authorizers(time, time).at(-1);
  const alternative = { attributes, missing: new Map(), isExact: true };
  return evaluate(alternative, { ...context, plan, authorizer, time }).refusals[0]?.message;
}

/** A promise only where the write has to be reviewed again. */
export function decide(write: WriteEvent, context: DecisionContext): Decision | Promise<Decision> {
  const { recorded, event, target } = write;
  const validates = context.definitions.has(target.place);
  if (
    !recorded.isAccepted &&
    (recorded.refusedBy === "before" || (recorded.refusedBy === "definition" && !validates))
  ) {
    const why = recorded.refusedBy === "before" ? "refused before admission, as recorded" : "not valid, as recorded";
    return { decision: "denied", code: event.code, message: event.message, why };
  }
  const { cluster } = context;
  if (cluster.isOutOfOrder(event.received)) return { decision: "unknown", why: OUT_OF_ORDER };
  const policySets = cluster.policies(event.received, event.at);
  const uncertain = policySets.find((each) => each.uncertain !== undefined)?.uncertain;
  if (uncertain !== undefined) return { decision: "unknown", why: uncertain };
  const [only] = policySets;
  if (only !== undefined && policySets.length === 1) {
    const evaluations = decideUnder(only, write, context);
    return isPromise(evaluations) ? evaluations.then((all) => finish(all, write, 1)) : finish(evaluations, write, 1);
  }
  const results = policySets.map((policies) => decideUnder(policies, write, context));
  return results.some(isPromise)
    ? Promise.all(results).then((all) => finish(all.flat(), write, policySets.length))
    : finish(
        results.flatMap((each) => (isPromise(each) ? [] : each)),
        write,
        policySets.length,
      );
}

const OUT_OF_ORDER = "policies changed since, and the event is too far out of order: raise --window";

function isPromise<T>(value: T | Promise<T>): value is Promise<T> {
  return value instanceof Promise;
}

type Evaluations = readonly Evaluated[];

function decideUnder(
  policies: Policies,
  write: WriteEvent,
  context: DecisionContext,
): Evaluations | Promise<Evaluations> {
  const plan = planOf(policies, write, context.cluster);
  const inputs = inputsOf(plan, write, context);
  if (inputs === undefined) return [NOTHING];
  const { group, resource } = write.target.resource;
  const isBuiltIn = write.target.type?.isCustom === false;
  const redefined = isBuiltIn ? undefined : context.cluster.whyRedefined(group, resource);
  if (redefined !== undefined) {
    return [{ ...NOTHING, undecided: [{ policy: "", why: `its definition: ${redefined}`, mayDeny: true }] }];
  }
  // Validating policies that read managed fields are not evaluated without the stored object.
  const reviewer = { ...context, mutating: policies.mutating, time: write.event.at, tracksFields: plan.mutates };
  if (write.event.verb === "deletecollection") {
    return [collectionAlternatives(write, reviewer, (each) => evaluateAll([each], plan, write, context)[0] ?? NOTHING)];
  }
  const alternatives = alternativesOf(write, { reviewer, upcoming: context.upcoming, inputs });
  if (!(alternatives instanceof Promise)) return evaluateAll(alternatives, plan, write, context);
  return alternatives.then((all) => evaluateAll(all, plan, write, context));
}

function evaluateAll(
  alternatives: readonly Alternative[],
  plan: Plan,
  { event }: WriteEvent,
  { cluster, version, podSecurity }: DecisionContext,
): Evaluations {
  const results: Evaluated[] = [];
  for (const authorizer of cluster.authorizers(event.received, event.at)) {
    for (const alternative of alternatives) {
      const base = { cluster, version, plan, authorizer, podSecurity, time: event.at };
      const now = evaluate(alternative, base);
      results.push(now);
      // What changed a moment ago may not have been noticed yet.
      if (now.isFresh) results.push(evaluate(alternative, { ...base, time: event.received - POLICY_DELAY_MS }));
    }
  }
  return results;
}

const POLICY_DELAY_MS = 60_000;

/** Undefined if nothing that is evaluated is about the request. */
function inputsOf(plan: Plan, write: WriteEvent, context: DecisionContext): PolicyInputs | undefined {
  const { target } = write;
  const isChange = plan.operation === "CREATE" || plan.operation === "UPDATE";
  const validates = isChange && context.definitions.has(target.place);
  const isPod = isChange && isAboutPods(target.resource) && isSecured(context, write);
  if (plan.hooks.length === 0 && !plan.mutates && !validates && !isPod) return undefined;
  return {
    object: plan.readsObject || isPod,
    old: plan.readsOld || (isPod && plan.operation === "UPDATE"),
    reviews: plan.mutates || validates,
    validates,
  };
}

function isSecured({ podSecurity, cluster }: DecisionContext, { ref, event }: WriteEvent): boolean {
  if (ref.resource === "namespaces" || !isFullyPrivileged(podSecurity.defaults)) return true;
  const known = cluster.namespace(ref.namespace, event.at);
  return known?.state === "present" && known.object.mentions(LABEL_PREFIX);
}

function finish(all: readonly Evaluated[], write: WriteEvent, policySets: number): Decision {
  const decisions = consistent(all, write).map(decisionOf);
  const [first] = decisions;
  if (first === undefined) return { decision: "unknown", why: "the request cannot be reconstructed" };
  const isSame = decisions.every(({ decision }) => decision === first.decision);
  if (!isSame) {
    const why = decisions.find(({ decision }) => decision === "unknown")?.why ?? whyDifferent(policySets);
    return { decision: "unknown", why };
  }
  return withRecorded(decisions.length === 1 ? first : joined(decisions, first), write);
}

/**
 * Of several possibilities, those under which a policy refuses with the very words that were recorded: the request had the
 * form that led to them.
 */
function consistent(all: readonly Evaluated[], { recorded, event }: WriteEvent): readonly Evaluated[] {
  if (all.length === 1 || recorded.isAccepted || recorded.refusedBy !== "policy") return all;
  const text = event.message.slice(event.message.indexOf("denied request: ") + "denied request: ".length);
  const speaking = (each: Evaluated) => each.refusals.filter(({ message }) => message === text);
  const alike = all.filter((each) => speaking(each).length > 0);
  if (alike.length === 0) return all;
  // In a form in which a policy is not decided, it may say the same.
  const speakers = new Set(alike.flatMap(speaking).map(({ policy }) => policy));
  return all.filter((each) => alike.includes(each) || each.undecided.some(({ policy }) => speakers.has(policy)));
}

function whyDifferent(policySets: number): string {
  return policySets > 1 ? "a policy changed less than a second before, and may not have been in force" : FORMS_DIFFER;
}

function decisionOf(evaluated: Evaluated): Decision {
  const { error, denied, warned, audited, undecided, isMessageKnown, attributes } = evaluated;
  const lists = { warned: filled(warned), audited: filled(audited) };
  if (error !== undefined) {
    const message = isMessageKnown ? error.message : undefined;
    const why = undecided.length === 0 ? undefined : whyOpen(undecided);
    return { decision: "denied", code: error.code, message, denied: filled(denied), ...lists, why, attributes };
  }
  const open = undecided.filter(({ mayDeny }) => mayDeny);
  if (open.length > 0) return { decision: "unknown", ...lists, why: whyOpen(open) };
  return { decision: "allowed", ...lists, ...(undecided.length > 0 && { why: whyOpen(undecided) }) };
}

function whyOpen(undecided: Evaluated["undecided"]): string {
  return [...new Set(undecided.map(({ policy, why }) => (policy === "" ? why : `${policy}: ${why}`)))].join("; ");
}

function filled(texts: readonly string[]): readonly string[] | undefined {
  return texts.length === 0 ? undefined : texts;
}

/** What all possibilities have in common. Policies that deny only some of them are named. */
function joined(decisions: readonly Decision[], first: Decision): Decision {
  const common = (key: "denied" | "warned" | "audited"): readonly string[] | undefined =>
    filled((first[key] ?? []).filter((policy) => decisions.every((each) => each[key]?.includes(policy) === true)));
  const denied = common("denied");
  const isSame = (key: "code" | "message"): boolean => decisions.every((each) => each[key] === first[key]);
  const why = decisions.find((each) => each.why !== undefined)?.why;
  const open = new Set(
    decisions.flatMap((each) => each.denied ?? []).filter((name) => denied?.includes(name) !== true),
  );
  const reasons = [...(why === undefined ? [] : [why]), ...[...open].map((name) => `${name}: ${FORMS_DIFFER}`)];
  return {
    decision: first.decision,
    code: isSame("code") ? first.code : undefined,
    message: isSame("message") ? first.message : undefined,
    denied,
    warned: common("warned"),
    audited: common("audited"),
    why: reasons.length === 0 ? undefined : reasons.join("; "),
    attributes: first.attributes,
  };
}

const FORMS_DIFFER = "the possible forms of the request are decided differently";

/** Admission that is not evaluated stays as it was; what came after it is only mentioned. */
function withRecorded(decision: Decision, { recorded, event }: WriteEvent): Decision {
  if (decision.decision !== "allowed" || recorded.isAccepted) return decision;
  if (recorded.refusedBy === "admission") {
    const why = "refused by admission that is not evaluated, as recorded";
    return { ...decision, decision: "denied", code: event.code, message: event.message, why };
  }
  return recorded.refusedBy === "after"
    ? { ...decision, why: `admitted, then refused as recorded: ${event.message}` }
    : decision;
}
