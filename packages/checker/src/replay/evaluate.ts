/** Policies put to one possible form of a request. A policy that needs what is missing is not evaluated, but named. */
import type { Authorizer } from "@portcullis/engine/internal/kubecel/library/authz";
import { type KubernetesVersion, minorOf } from "@portcullis/engine/internal/kubecel/versions";
import { admitBySecurity, isAboutPods } from "@portcullis/engine/internal/podsecurity/admit";
import type { PodSecurityConfiguration } from "@portcullis/engine/internal/podsecurity/configuration";
import { isFullyPrivileged, LABEL_PREFIX } from "@portcullis/engine/internal/podsecurity/level";
import type { AdmissionAttributes } from "@portcullis/engine/internal/policy/attributes";
import { evaluateHooks, type PolicyContext } from "@portcullis/engine/internal/policy/dispatch";
import { type Criteria, matchNamespace, matchObject, matchRules } from "@portcullis/engine/internal/policy/match";
import type { PolicyHook } from "@portcullis/engine/internal/policy/policy-set";
import type { StatusError } from "@portcullis/engine/internal/status/error";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { objectLabels } from "@portcullis/engine/internal/value/read";
import { type Alternative, lacksManagers } from "./alternative.ts";
import type { Known } from "./known-objects.ts";
import { canDeny, type Input, needsOf, needsVersions, OTHER_VERSION } from "./needs.ts";
import { plainNamespace } from "./plain-namespace.ts";
import { type Plan, withoutPolicies } from "./plan.ts";
import { NO_AUTHORIZER, type ReplayCluster, UnknownParameter } from "./replay-cluster.ts";

export interface Undecided {
  readonly policy: string;
  readonly why: string;
  /** Whether the request may be refused by it. */
  readonly mayDeny: boolean;
}

export interface Evaluated {
  readonly error: StatusError | undefined;
  /** False if the error quotes what is not known. */
  readonly isMessageKnown: boolean;
  readonly denied: readonly string[];
  /** What each policy says that refuses. */
  readonly refusals: ReturnType<typeof evaluateHooks>["denials"];
  readonly warned: readonly string[];
  readonly audited: readonly string[];
  readonly undecided: readonly Undecided[];
  /** What was evaluated. */
  readonly attributes?: AdmissionAttributes | undefined;
  /** Whether something was read that had changed so lately that the server may not have noticed. */
  readonly isFresh: boolean;
}

export interface EvaluationContext {
  readonly cluster: ReplayCluster;
  readonly version: KubernetesVersion;
  readonly plan: Plan;
  /** Undefined if permissions are not known. */
  readonly authorizer: Authorizer | undefined;
  readonly podSecurity: PodSecurityConfiguration;
  /** When the request reads the cluster. */
  readonly time: number;
}

const POD_SECURITY = "PodSecurity";
export function evaluate(alternative: Alternative, context: EvaluationContext): Evaluated {
  const { refusal, isNotAdmitted } = alternative;
  if (isNotAdmitted === true) return NOTHING;
  if (refusal !== undefined) return { ...NOTHING, error: refusal.error, denied: refusal.denied };
  const run = new Run(alternative, context);
  const { plan } = context;
  const undecided = plan.hooks.flatMap((hook) => run.undecided(hook));
  return run.evaluate(undecided.length === 0 ? plan.hooks : withoutPolicies(plan, undecided), undecided);
}

export const NOTHING: Evaluated = {
  error: undefined,
  isMessageKnown: true,
  denied: [],
  refusals: [],
  warned: [],
  audited: [],
  undecided: [],
  isFresh: false,
};

class Run {
  readonly #alternative: Alternative;
  readonly #context: EvaluationContext;
  readonly #missing: ReadonlyMap<Input, string>;
  readonly #isKindKnown: boolean;
  /** What is known of the namespace of the request. */
  readonly #known: Known | undefined;
  #isFresh = false;

  constructor(alternative: Alternative, context: EvaluationContext) {
    this.#alternative = alternative;
    this.#context = context;
    const { namespace } = alternative.attributes;
    this.#known = namespace === "" ? undefined : context.cluster.namespace(namespace, context.time);
    this.#missing = this.#withCluster(alternative.missing);
    const { group, version, resource } = alternative.attributes.resource;
    this.#isKindKnown = context.cluster.kind(group, version, resource) !== undefined;
  }

  /** Empty if the policy can be evaluated, or is not about the request. */
  undecided(hook: PolicyHook): Undecided[] {
    const isOpen = !this.#isKindKnown && needsVersions(hook, this.#alternative.attributes, this.#context.cluster);
    const why = isOpen ? OTHER_VERSION : this.#whyUndecided(hook);
    if (why === undefined || !(isOpen || this.#mayApply(hook))) return [];
    return [{ policy: hook.policy.name, why, mayDeny: canDeny(hook) }];
  }

  evaluate(hooks: readonly PolicyHook[], undecided: readonly Undecided[]): Evaluated {
    const { attributes } = this.#alternative;
    try {
      const security = this.#podSecurity();
      const verdict = evaluateHooks(hooks, attributes, this.#policyContext());
      const observed = (action: string): readonly string[] =>
        verdict.observations.length === 0
          ? NOBODY
          : [...new Set(verdict.observations.filter((each) => each.action === action).map(({ policy }) => policy))];
      const [denial] = verdict.denials;
      return {
        error: security?.error ?? verdict.error,
        isMessageKnown: security?.error !== undefined || this.#isMessageKnown(denial?.policy, hooks),
        denied: [...(security?.denied ?? []), ...new Set(verdict.denials.map(({ policy }) => policy))],
        refusals: verdict.denials,
        warned: [...(security?.warned ?? []), ...observed("warn")],
        audited: observed("audit"),
        undecided: [...undecided, ...(security?.undecided ?? [])],
        attributes,
        isFresh: this.#isFresh,
      };
    } catch (thrown) {
      if (!(thrown instanceof UnknownParameter)) throw thrown;
      return {
        ...NOTHING,
        undecided: [{ policy: "", why: `a parameter is not known: ${thrown.message}`, mayDeny: true }],
      };
    }
  }

  #withCluster(missing: ReadonlyMap<Input, string>): ReadonlyMap<Input, string> {
    const { authorizer } = this.#context;
    const { namespace, resource } = this.#alternative.attributes;
    const isNamespaceKnown = namespace === "" || resource.resource === "namespaces" || this.#known?.state === "present";
    if (isNamespaceKnown && authorizer !== undefined) return missing;
    const all = new Map(missing);
    if (!isNamespaceKnown) all.set("namespace", `the namespace ${namespace} is not among the objects`);
    if (authorizer === undefined) all.set("authorizer", "no roles are among the objects");
    return all;
  }

  #whyUndecided(hook: PolicyHook): string | undefined {
    const { decision, readsServerFields } = needsOf(hook);
    if (this.#missing.size === 0 && !readsServerFields && !decision.has("params")) return undefined;
    const { isExact, attributes } = this.#alternative;
    const isStored = !this.#missing.has("managers");
    if (decision.has("managers") && isStored && [attributes.object, attributes.oldObject].some(lacksManagers)) {
      return "it reads managed fields, and the log does not have them";
    }
    if (readsServerFields && !isExact && (attributes.object ?? attributes.oldObject) !== undefined) {
      return "it reads fields that the server sets, and the log does not have the stored object";
    }
    for (const input of decision) {
      const why = this.#missing.get(input);
      if (why !== undefined) return why;
    }
    return decision.has("params") ? this.#whyParamsUnknown(hook) : undefined;
  }

  #whyParamsUnknown({ policy }: PolicyHook): string | undefined {
    const kind = policy.paramKind;
    const [group, version] = (kind?.apiVersion ?? "").includes("/")
      ? (kind?.apiVersion ?? "").split("/")
      : ["", kind?.apiVersion];
    if (kind === undefined) return undefined;
    const found = this.#context.cluster.params(
      { group: group ?? "", version: version ?? "", kind: kind.kind },
      this.#context.time,
      () => {},
    );
    return typeof found === "string" ? found : undefined;
  }

  /** Whether a policy may be about the request, whatever it is that is missing. */
  #mayApply({ criteria, bindings }: PolicyHook): boolean {
    if (criteria === undefined) return true;
    return (
      this.#mayMatch(criteria) &&
      bindings.some((bound) => bound.criteria === undefined || this.#mayMatch(bound.criteria))
    );
  }

  #mayMatch(criteria: Criteria): boolean {
    const { attributes } = this.#alternative;
    const { equivalents } = this.#context.cluster;
    const { match } = criteria;
    const rules = (list: typeof match.resourceRules): boolean =>
      matchRules(list, match.matchPolicy, attributes, equivalents).outcome !== "skip";
    if (match.resourceRules.length > 0 && !rules(match.resourceRules)) return false;
    if (match.excludeResourceRules.length > 0 && rules(match.excludeResourceRules)) return false;
    const context = { equivalents, namespace: (name: string) => this.#namespace(name) };
    if (!this.#missing.has("namespace") && matchNamespace(criteria, attributes, context) === false) return false;
    const lacksObjects = this.#missing.has("object") || this.#missing.has("oldObject");
    return lacksObjects || matchObject(criteria, attributes) !== false;
  }

  #policyContext(): PolicyContext {
    const { cluster, authorizer, version, time } = this.#context;
    return {
      namespace: (name) => this.#namespace(name),
      params: {
        find: (kind) => {
          const found = cluster.params(kind, time, () => {
            this.#isFresh = true;
          });
          return typeof found === "string" ? undefined : found;
        },
      },
      authorizer: authorizer ?? NO_AUTHORIZER,
      equivalents: cluster.equivalents,
      version,
      isBrief: true,
    };
  }

  #namespaceNow(name: string): Known | undefined {
    const { cluster, time } = this.#context;
    return name === this.#alternative.attributes.namespace ? this.#known : cluster.namespace(name, time);
  }

  /** A namespace that is not known has at least its name. */
  #namespace(name: string): JsonObject | undefined {
    const { cluster, time } = this.#context;
    if (cluster.isNamespaceFresh(name, time)) this.#isFresh = true;
    const known = this.#namespaceNow(name);
    return (known?.state === "present" ? known.object.object() : undefined) ?? plainNamespace(name);
  }

  /** Whether the first refusal only quotes what is known. */
  #isMessageKnown(policy: string | undefined, hooks: readonly PolicyHook[]): boolean {
    // Every refusal quotes the name.
    if (this.#missing.has("name")) return false;
    const hook = policy === undefined ? undefined : hooks.find((each) => each.policy.name === policy);
    if (hook === undefined) return true;
    return [...needsOf(hook).message].every((input) => !this.#missing.has(input));
  }

  /** Whether the namespace may have labels of Pod Security, by its text. */
  #mentionsLevels(namespace: string): boolean {
    const { cluster, time } = this.#context;
    const known = this.#namespaceNow(namespace);
    return (
      cluster.isNamespaceFresh(namespace, time) || (known?.state === "present" && known.object.mentions(LABEL_PREFIX))
    );
  }

  #podSecurity() {
    const { attributes, missing } = this.#alternative;
    const { operation, resource, subresource, name, namespace, object, oldObject, userInfo } = attributes;
    if ((operation !== "CREATE" && operation !== "UPDATE") || !isAboutPods(resource)) return undefined;
    const { podSecurity: configuration, version } = this.#context;
    const isNamespace = resource.resource === "namespaces";
    const isIgnored = isNamespace
      ? subresource !== ""
      : isFullyPrivileged(configuration.defaults) && !this.#mentionsLevels(namespace);
    if (isIgnored) return undefined;
    const found = this.#namespace(namespace);
    if (!isSecured(found, configuration) && !isNamespace) return undefined;
    const why = missing.get("object") ?? this.#missing.get("namespace");
    if (why !== undefined || object === undefined) {
      // Other kinds with a pod template are only warned of.
      const mayDeny = resource.resource === "pods" || resource.resource === "namespaces";
      return { undecided: [{ policy: POD_SECURITY, why: why ?? "the object is not in the log", mayDeny }] };
    }
    const what = { group: resource.group, resource: resource.resource, subresource, operation, name, namespace };
    const request = { ...what, username: userInfo.name, object, old: oldObject };
    const verdict = admitBySecurity(request, found, { configuration, serverMinor: minorOf(version) });
    const { error, warnings } = verdict;
    return {
      error,
      denied: error === undefined ? [] : [POD_SECURITY],
      warned: warnings.length > 0 ? [POD_SECURITY] : [],
      undecided: [],
    };
  }
}

function isSecured(namespace: JsonObject | undefined, { defaults }: PodSecurityConfiguration): boolean {
  const labels = Object.keys(objectLabels(namespace ?? {}));
  return !isFullyPrivileged(defaults) || labels.some((label) => label.startsWith(LABEL_PREFIX));
}

const NOBODY: readonly string[] = [];
