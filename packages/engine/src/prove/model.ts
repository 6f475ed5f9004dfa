/**
 * What policies do with an unknown request: matching, conditions, params, validations, annotations, actions. Follows
 * the dispatcher of `policy` step by step; what depends on an unknown name or label becomes a choice.
 */
import type { Ast } from "@portcullis/cel/internal";
import type { EquivalentResources, GroupVersionKind } from "../policy/attributes.ts";
import type { ParamRef } from "../policy/binding.ts";
import { type CompiledExpression, type CompiledPolicy, compiledPolicy } from "../policy/compile.ts";
import { collectParams, findParamResource, type ParamSource } from "../policy/params.ts";
import type { ParamKind } from "../policy/policy.ts";
import type { BoundBinding, PolicyHook, PolicySet } from "../policy/policy-set.ts";
import type { Context, Scope } from "./evaluate/context.ts";
import { evaluate } from "./evaluate/evaluate.ts";
import { fromJson } from "./evaluate/from-json.ts";
import { outcomeOf } from "./evaluate/quantify.ts";
import { isEqual } from "./evaluate/relate.ts";
import type { State } from "./evaluate/state.ts";
import type { KnownRights } from "./evaluate/symbolic.ts";
import { constant, ERROR, NULL_SYM, type Sym } from "./evaluate/symbolic.ts";
import { type Matched, RequestMatcher } from "./match-model.ts";
import type { Mutations } from "./mutations.ts";
import { requestParts } from "./request-model.ts";
import type { ProofKind, Scenario } from "./sorts/kinds.ts";
import type { Sort } from "./sorts/sort.ts";
import { Unmodeled } from "./theory/path-search.ts";
import { contentKey, unitOf } from "./units.ts";

/** The policies of one side and what they need. */
export interface PolicySide {
  readonly unit: string;
  /** Equal for sides that differ only in policies and bindings. */
  readonly environment: string;
  readonly policies: PolicySet;
  readonly mutations: Mutations;
  readonly params: ParamSource;
  readonly equivalents: EquivalentResources;
  readonly kindOf: (kind: GroupVersionKind) => ProofKind | undefined;
  /** Namespaces that params may be in. */
  readonly namespaces: readonly string[];
  /** Who may do what. */
  readonly rights?: KnownRights | undefined;
  /** The sort of params that are not given; undefined if the given params are complete. */
  readonly unknownParams?: ((kind: ParamKind, ref: ParamRef) => UnknownParam | undefined) | undefined;
}

/** A param that is not given. */
export interface UnknownParam {
  readonly sort: Sort;
  readonly namespaced: boolean;
}

/** What may deny a request. */
export interface DenialSource {
  readonly hook: PolicyHook;
  readonly bound: BoundBinding;
  readonly kind: "annotation" | "conditions" | "configuration" | "validation";
  readonly index: number;
}

export function sourcesOf({ policies }: PolicySide): DenialSource[] {
  return policies.hooks.flatMap((hook) => hook.bindings.flatMap((bound) => bindingSources(hook, bound)));
}

function bindingSources(hook: PolicyHook, bound: BoundBinding): DenialSource[] {
  const { policy } = hook;
  const of = (kind: DenialSource["kind"], count: number): DenialSource[] =>
    Array.from({ length: count }, (_, index) => ({ hook, bound, kind, index }));
  return [
    ...of("validation", policy.validations.length),
    ...of("conditions", policy.matchConditions.length > 0 ? 1 : 0),
    ...of("configuration", policy.paramKind === undefined ? 0 : 1),
    ...of("annotation", policy.auditAnnotations.length),
  ];
}

interface Param {
  readonly param: Sym | undefined;
  /** Equal for equal params. */
  readonly paramKey: string;
}

const NO_PARAM: Param = { param: undefined, paramKey: "" };

type Params = readonly Param[] | "error";
type Pass = "annotation" | "conditions" | "validation";

/** One side on one execution path. */
export class ModelRun {
  readonly #state: State;
  readonly #side: PolicySide;
  readonly #scenario: Scenario;
  readonly #matcher: RequestMatcher;
  readonly #memo = new Map<string, unknown>();

  constructor(state: State, side: PolicySide, scenario: Scenario) {
    this.#state = state;
    this.#side = side;
    this.#scenario = scenario;
    this.#matcher = new RequestMatcher(state, side, scenario);
  }

  denies(source: DenialSource): boolean {
    const { hook, bound, kind } = source;
    const matched = this.matches(hook, bound);
    if (matched === undefined) return false;
    const params = this.#params(hook, bound);
    const isIgnored = hook.policy.failurePolicy === "Ignore";
    if (kind === "configuration") return params === "error" && !isIgnored;
    if (params === "error") return false;
    const { name } = bound.binding;
    return params.some((param, at) => this.#deniesWith(source, matched, { ...param, at: `${name} ${at}`, isIgnored }));
  }

  #deniesWith(source: DenialSource, matched: Matched, evaluation: Evaluated): boolean {
    const { hook, bound, kind, index } = source;
    const hasDeny = bound.binding.validationActions.includes("Deny");
    const { isIgnored } = evaluation;
    const conditions = this.conditions(hook, matched, evaluation);
    if (kind === "conditions") return conditions === "error" && !isIgnored && hasDeny;
    if (conditions !== "match") return false;
    if (kind === "annotation") return !isIgnored && this.#annotationFails(hook, matched, evaluation, index);
    if (!hasDeny) return false;
    const outcome = this.#outcome(hook, matched, evaluation, index);
    return outcome === "F" || (outcome === "E" && !isIgnored);
  }

  /** Outcomes of a validation for all params; empty if the policy is not evaluated. */
  outcomes(hook: PolicyHook, bound: BoundBinding, index: number): readonly ("E" | "F" | "T")[] {
    const matched = this.matches(hook, bound);
    const params = matched === undefined ? [] : this.#params(hook, bound);
    if (matched === undefined || params === "error") return [];
    const isIgnored = hook.policy.failurePolicy === "Ignore";
    return params.flatMap((param, at) => {
      const evaluation = { ...param, at: `${bound.binding.name} ${at}`, isIgnored };
      return this.conditions(hook, matched, evaluation) === "match"
        ? [this.#outcome(hook, matched, evaluation, index)]
        : [];
    });
  }

  #outcome(hook: PolicyHook, matched: Matched, evaluation: Evaluated, index: number): "E" | "F" | "T" {
    const compiled = compiledPolicy(hook.policy);
    return outcomeOf(
      this.#state,
      this.#evaluate(compiled.validations[index], "validation", { hook, matched, evaluation, compiled }),
    );
  }

  #annotationFails(hook: PolicyHook, matched: Matched, evaluation: Evaluated, index: number): boolean {
    const compiled = compiledPolicy(hook.policy);
    const value = this.#state.resolve(
      this.#evaluate(compiled.auditAnnotations[index], "annotation", { hook, matched, evaluation, compiled }),
    );
    return value.k === "error";
  }

  /** As in the dispatcher: a false condition takes precedence over failed ones. */
  conditions(hook: PolicyHook, matched: Matched, evaluation: Evaluated): "error" | "match" | "skip" {
    return this.#once(`conditions ${hook.policy.name} ${evaluation.at}`, () => {
      const compiled = compiledPolicy(hook.policy);
      let hasError = false;
      for (const condition of compiled.matchConditions) {
        const outcome = outcomeOf(
          this.#state,
          this.#evaluate(condition, "conditions", { hook, matched, evaluation, compiled }),
        );
        if (outcome === "F") return "skip";
        if (outcome === "E") hasError = true;
      }
      if (!hasError) return "match";
      return evaluation.isIgnored ? "skip" : "error";
    });
  }

  #evaluate(expression: CompiledExpression | undefined, pass: Pass, context: EvaluationContext): Sym {
    if (expression?.ast === undefined) return ERROR;
    return this.#run(expression.ast, this.#scope(pass, context), this.#identityOf(pass, context));
  }

  #run({ checked }: Ast, scope: Scope, { unit, view }: Pick<Context, "unit" | "view">): Sym {
    return evaluate(checked.expr, { state: this.#state, ast: checked, scope, unit, view, bound: "" });
  }

  /**
   * Conditions see another resource and no namespace. A Scale has the same kind for all versions of a custom resource,
   * so the resource counts too.
   */
  #identityOf(pass: Pass, { matched, evaluation, compiled }: EvaluationContext): Pick<Context, "unit" | "view"> {
    const { group, version, kind } = matched.kind;
    const { resource } = matched;
    const seen = `${group}/${version} ${kind} of ${resource.group}/${resource.version} ${resource.resource}`;
    return {
      unit: (part) => unitOf(part, compiled, evaluation.paramKey),
      view: `${seen}${pass === "conditions" ? " in conditions" : ""}`,
    };
  }

  #scope(pass: Pass, context: EvaluationContext): Scope {
    const { matched, evaluation, compiled, hook } = context;
    const parts = this.#once(`request ${hook.policy.name} ${pass === "conditions"}`, () =>
      requestParts(
        this.#state,
        this.#scenario,
        pass === "conditions" ? { ...matched, resource: this.#scenario.kind } : matched,
        this.#side.rights,
      ),
    );
    const scope: Scope = (name) => {
      if (name === "object" || name === "oldObject") return this.#matcher.object(name, matched.kind);
      if (name === "request") return parts.request;
      if (name === "namespaceObject") return pass === "conditions" ? NULL_SYM : parts.namespaceObject;
      if (name === "params") return evaluation.param ?? NULL_SYM;
      if (name.startsWith("variables.")) {
        const key = `variable ${hook.policy.name} ${evaluation.at} ${pass} ${name}`;
        const variable = compiled.variables.get(name.slice("variables.".length));
        const identity = this.#identityOf(pass, context);
        return (
          variable &&
          this.#once(key, () => (variable.ast === undefined ? ERROR : this.#run(variable.ast, scope, identity)))
        );
      }
      if (name.startsWith("authorizer")) return pass === "annotation" ? undefined : parts.authorizer(name);
      return undefined;
    };
    return scope;
  }

  /** How the policy and the binding match; undefined if they do not. */
  matches(hook: PolicyHook, bound: BoundBinding): Matched | undefined {
    return this.#once(`match ${hook.policy.name} ${bound.binding.name}`, () => {
      const matched = this.#once(`match ${hook.policy.name}`, () => this.#matcher.match(hook.criteria));
      if (matched === undefined || bound.criteria === undefined) return matched;
      return this.#matcher.match(bound.criteria) && matched;
    });
  }

  #params({ policy }: PolicyHook, { binding }: BoundBinding): Params {
    return this.#once(`params ${policy.name} ${binding.name}`, () => {
      const { paramKind } = policy;
      const found = findParamResource(policy, this.#side.params);
      if (found.error !== undefined) return "error";
      if (paramKind === undefined || binding.paramRef === undefined) return [NO_PARAM];
      const unknown = this.#side.unknownParams?.(paramKind, binding.paramRef);
      if (unknown !== undefined) return this.#unknownParams(unknown, paramKind, binding.paramRef);
      const collected = collectParams(
        paramKind,
        found.resource,
        binding.paramRef,
        this.#requestNamespace(found.resource?.namespaced === true && binding.paramRef.namespace === ""),
      );
      if (collected.error !== undefined) return "error";
      return collected.value.map((param) =>
        param === undefined ? NO_PARAM : { param: fromJson(param), paramKey: contentKey(param) },
      );
    });
  }

  /** Params that are not given may exist or not, with any content. */
  #unknownParams(
    { sort, namespaced }: UnknownParam,
    { apiVersion, kind }: ParamKind,
    { name, namespace, parameterNotFoundAction }: ParamRef,
  ): Params {
    const hasNamespace = namespace !== "" || this.#requestNamespace(false) !== "";
    if (namespaced ? !hasNamespace : namespace !== "") return "error";
    if (name === "") throw new Unmodeled("params that are selected by labels and not given");
    const id = `params ${apiVersion} ${kind} ${namespace} ${name}`;
    if (this.#state.fact(`no ${id}`, 2) === 0) {
      this.#state.params.set(id, { apiVersion, kind, namespace, name });
      return [{ param: { k: "node", node: this.#state.nodeAt(undefined, id, sort, undefined) }, paramKey: id }];
    }
    return parameterNotFoundAction === "Deny" ? "error" : [];
  }

  /** The namespace of params, if it depends on the request. */
  #requestNamespace(matters: boolean): string {
    const { kind, objectKind } = this.#scenario;
    const { namespace } = requestParts(this.#state, this.#scenario, { resource: kind, kind: objectKind });
    if (namespace === undefined) return "";
    if (!matters) return "default";
    return this.#side.namespaces.find((each) => isEqual(this.#state, namespace, constant(each))) ?? "another namespace";
  }

  #once<T>(key: string, make: () => T): T {
    if (!this.#memo.has(key)) this.#memo.set(key, make());
    // The value of a key is always created by the same caller.
    return this.#memo.get(key) as T;
  }
}

interface Evaluated extends Param {
  /** The binding, and the index of the param. */
  readonly at: string;
  readonly isIgnored: boolean;
}

interface EvaluationContext {
  readonly hook: PolicyHook;
  readonly matched: Matched;
  readonly evaluation: Evaluated;
  readonly compiled: CompiledPolicy;
}
