/** Records which expressions of policies and rules of CRDs the tests reached, and with which results. */
import type { Value } from "@portcullis/cel";
import { isError } from "@portcullis/cel";
import { type Ast, observeProgram, type Program } from "@portcullis/cel/internal";
import type { KubernetesVersion } from "@portcullis/engine/internal/kubecel/versions";
import type { VariableReading } from "@portcullis/engine/internal/policy/activation";
import { type CompiledExpression, compiledPolicy } from "@portcullis/engine/internal/policy/compile";
import type { PolicyVerdict } from "@portcullis/engine/internal/policy/dispatch";
import type { ExpressionResult, PassResult } from "@portcullis/engine/internal/policy/evaluate";
import { compiledMutatingPolicy } from "@portcullis/engine/internal/policy/mutating/compile";
import type { MutationVerdict } from "@portcullis/engine/internal/policy/mutating/dispatch";
import type { MutatingPolicy } from "@portcullis/engine/internal/policy/mutating/policy";
import type { MutatingPolicyTrace, MutationTrace } from "@portcullis/engine/internal/policy/mutating/trace";
import type { AdmissionPolicy, PolicyFrame } from "@portcullis/engine/internal/policy/policy";
import type { EvaluationTrace } from "@portcullis/engine/internal/policy/trace";
import { oneLine } from "../policy/explain.ts";
import { type BranchCoverage, Branches, isBranchCovered } from "./branches.ts";
import type { PlacedRule } from "./crd-rules.ts";

export interface ExpressionCoverage {
  /** Its name; `mutating NAME` of a mutating policy. Of a rule, the CRD. */
  readonly policy: string;
  /** Its path, such as `validations[0]` or `mutations[0]`. */
  readonly place: string;
  readonly expression: string;
  /** Conditions and validations must be seen true and false; other expressions must be seen at all. */
  readonly isBoolean: boolean;
  /** Messages count where their validation is false: otherwise nobody sees them, though the API server evaluates them. */
  readonly evaluated: number;
  readonly true: number;
  readonly false: number;
  readonly errors: number;
  /** The parts that decide what else is evaluated. */
  readonly branches: readonly BranchCoverage[];
}

type Counter = { -readonly [Key in keyof Omit<ExpressionCoverage, "branches">]: ExpressionCoverage[Key] };

export class Coverage {
  readonly #counters = new Map<string, Counter>();
  readonly #branches = new Map<string, Branches>();
  readonly #observed = new WeakSet<CompiledExpression>();
  readonly #observedPrograms = new WeakSet<Program>();

  /** Its expressions are listed even if no test reaches them. */
  add(policy: AdmissionPolicy, version: KubernetesVersion): void {
    const { name, validations, auditAnnotations } = policy;
    const compiled = compiledPolicy(policy, version);
    this.#observeFrame(name, policy, compiled);
    this.#observe(name, compiled.validations, (index) => `validations[${index}]`);
    this.#observe(name, compiled.messageExpressions, (index) => `validations[${index}].messageExpression`);
    this.#observe(name, compiled.auditAnnotations, (index) => `auditAnnotations[${index}]`);
    this.#addFrame(policy, name);
    validations.forEach((each, index) => {
      this.#counter(name, `validations[${index}]`, each.expression, true);
      if (each.messageExpression !== "") {
        this.#counter(name, `validations[${index}].messageExpression`, each.messageExpression, false);
      }
    });
    auditAnnotations.forEach((each, index) => {
      this.#counter(name, `auditAnnotations[${index}]`, each.valueExpression, false);
    });
  }

  addMutating(policy: MutatingPolicy, version: KubernetesVersion): void {
    const name = mutatingName(policy.name);
    const compiled = compiledMutatingPolicy(policy, version);
    this.#observeFrame(name, policy, compiled);
    const mutations = compiled.mutations.map((each) => each.compiled);
    this.#observe(name, mutations, (index) => `mutations[${index}]`);
    this.#addFrame(policy, name);
    policy.mutations.forEach(({ applyConfiguration, jsonPatch }, index) => {
      this.#counter(name, `mutations[${index}]`, applyConfiguration ?? jsonPatch ?? "", false);
    });
  }

  /** Rules report themselves when they run. */
  addRules(crd: string, rules: readonly PlacedRule[]): void {
    for (const { place, rule } of rules) {
      const { program, messageProgram, ast } = rule;
      const { rule: expression, messageExpression } = rule.rule;
      const whole = { key: `${crd} ${place} ${expression}`, policy: crd, place };
      this.#observeRule({ ...whole, expression, isBoolean: true }, program, ast);
      if (messageExpression === "") continue;
      const message = { key: `${whole.key} ${messageExpression}`, policy: crd, place: `${place}.messageExpression` };
      this.#observeRule({ ...message, expression: messageExpression, isBoolean: false }, messageProgram, undefined);
    }
  }

  /** A CRD may change within a suite, so the place alone does not identify a rule. */
  #observeRule(rule: RuleCounter, program: Program | undefined, ast: Ast | undefined): void {
    if (program === undefined || this.#observedPrograms.has(program)) return;
    this.#observedPrograms.add(program);
    const { key, ...counted } = rule;
    const counter = this.#counters.get(key) ?? { ...counted, ...NOTHING_SEEN };
    this.#counters.set(key, counter);
    const branches = this.#branches.get(key) ?? (ast && new Branches(ast));
    if (branches !== undefined) this.#branches.set(key, branches);
    observeProgram(
      program,
      (id, value) => branches?.note(id, value),
      (value) => note(counter, value, isError(value)),
    );
  }

  record({ traces }: PolicyVerdict): void {
    for (const { policy, bindings } of traces) {
      for (const { evaluations } of bindings) for (const each of evaluations) this.#recordEvaluation(policy, each);
    }
  }

  recordMutation({ traces }: MutationVerdict): void {
    for (const trace of traces) this.#recordMutating(mutatingName(trace.policy), trace);
  }

  list(): readonly ExpressionCoverage[] {
    return [...this.#counters].map(([key, counter]) => ({
      ...counter,
      branches: this.#branches.get(key)?.list() ?? [],
    }));
  }

  #observeFrame(name: string, policy: PolicyFrame, { variables, matchConditions }: CompiledFrame): void {
    this.#observe(name, matchConditions, (index) => `matchConditions[${index}]`);
    const own = policy.variables.map((variable) => variables.get(variable.name));
    this.#observe(name, own, (index) => `variables.${policy.variables[index]?.name ?? ""}`);
  }

  /** Each case may have policies of its own, which are compiled again. */
  #observe(policy: string, all: readonly (CompiledExpression | undefined)[], place: (index: number) => string): void {
    all.forEach((compiled, index) => {
      if (compiled?.ast === undefined || this.#observed.has(compiled)) return;
      this.#observed.add(compiled);
      const key = `${policy} ${place(index)}`;
      const branches = this.#branches.get(key) ?? new Branches(compiled.ast);
      this.#branches.set(key, branches);
      const { program } = compiled;
      if (program === undefined || branches.isEmpty) return;
      observeProgram(program, (id, value) => branches.note(id, value));
    });
  }

  #addFrame({ matchConditions, variables }: PolicyFrame, name: string): void {
    matchConditions.forEach((each, index) => {
      this.#counter(name, `matchConditions[${index}]`, each.expression, true);
    });
    for (const each of variables) this.#counter(name, `variables.${each.name}`, each.expression, false);
  }

  #recordEvaluation(policy: string, { steps }: EvaluationTrace): void {
    const { matchConditions, validations, messageExpressions, auditAnnotations } = steps;
    this.#recordPass(policy, matchConditions, (index) => `matchConditions[${index}]`);
    this.#recordPass(policy, validations, (index) => `validations[${index}]`);
    this.#recordPass(policy, messageExpressions, (index) =>
      validations?.results[index]?.value === false ? `validations[${index}].messageExpression` : "",
    );
    this.#recordPass(policy, auditAnnotations, (index) => `auditAnnotations[${index}]`);
    this.#recordVariables(
      policy,
      [validations, messageExpressions, auditAnnotations].flatMap((pass) => pass?.variables ?? []),
    );
  }

  #recordMutating(policy: string, { bindings }: MutatingPolicyTrace): void {
    for (const { matchConditions, mutations } of bindings.flatMap(({ invocations }) => invocations)) {
      this.#recordPass(policy, matchConditions, (index) => `matchConditions[${index}]`);
      mutations.forEach(({ result }: MutationTrace, index) => {
        if (result !== undefined) this.#count(policy, `mutations[${index}]`, result.value, result.error !== undefined);
      });
      this.#recordVariables(
        policy,
        mutations.flatMap(({ variables }) => variables),
      );
    }
  }

  /** Each once an evaluation, however many passes read it. */
  #recordVariables(policy: string, readings: readonly VariableReading[]): void {
    const read = new Map(readings.map(({ name, value }) => [name, value]));
    for (const [name, value] of read) this.#count(policy, `variables.${name}`, value, isError(value));
  }

  #recordPass(policy: string, pass: PassResult | undefined, place: (index: number) => string): void {
    pass?.results.forEach(({ expression, value, error }: ExpressionResult, index) => {
      if (expression !== undefined) this.#count(policy, place(index), value, error !== undefined);
    });
  }

  #count(policy: string, place: string, value: Value | undefined, isFailed: boolean): void {
    const counter = this.#counters.get(`${policy} ${place}`);
    if (counter !== undefined) note(counter, value, isFailed);
  }

  #counter(policy: string, place: string, expression: string, isBoolean: boolean): void {
    const key = `${policy} ${place}`;
    if (this.#counters.has(key)) return;
    this.#counters.set(key, { policy, place, expression, isBoolean, ...NOTHING_SEEN });
  }
}

const NOTHING_SEEN = { evaluated: 0, true: 0, false: 0, errors: 0 };

interface RuleCounter extends Pick<Counter, "policy" | "place" | "expression" | "isBoolean"> {
  readonly key: string;
}

function note(counter: Counter, value: Value | undefined, isFailed: boolean): void {
  counter.evaluated++;
  if (isFailed) counter.errors++;
  else if (value === true) counter.true++;
  else if (value === false) counter.false++;
}

interface CompiledFrame {
  readonly variables: ReadonlyMap<string, CompiledExpression>;
  readonly matchConditions: readonly CompiledExpression[];
}

/** A validating policy may have the same name. */
function mutatingName(name: string): string {
  return `mutating ${name}`;
}

/** Whether the tests saw every result that the expression can have. */
export function isCovered({ isBoolean, evaluated, ...seen }: ExpressionCoverage): boolean {
  return isBoolean ? seen.true > 0 && seen.false > 0 : evaluated > 0;
}

export function formatCoverage(list: readonly ExpressionCoverage[]): string[] {
  const lines = list.flatMap((each) => {
    const { policy, place, expression } = each;
    const mark = isCovered(each) ? "  " : "! ";
    return [`${mark}${policy} ${place}  ${seenText(each)}  ${oneLine(expression)}`, ...branchLines(each)];
  });
  const branches = list.flatMap((each) => each.branches);
  const shares = [
    shareText(list.filter(isCovered).length, list.length, "expressions"),
    ...(branches.length === 0 ? [] : [shareText(branches.filter(isBranchCovered).length, branches.length, "branches")]),
  ];
  return [...lines, `coverage: ${shares.join(", ")}`];
}

/** The branches that are not covered; none of them is where the whole expression never was evaluated. */
function branchLines({ evaluated, branches }: ExpressionCoverage): string[] {
  if (evaluated === 0) return [];
  return branches
    .filter((each) => !isBranchCovered(each))
    .map((each) => `!   ${each.line}:${each.column}  ${neverText(each)}  ${each.text}`);
}

function neverText({ isTrueSeen, isFalseSeen }: BranchCoverage): string {
  if (!isTrueSeen && !isFalseSeen) return "never evaluated";
  return isTrueSeen ? "never false" : "never true";
}

function shareText(covered: number, all: number, what: string): string {
  const share = all === 0 ? 100 : Math.floor((covered / all) * 100);
  return `${covered} of ${all} ${what} (${share} %)`;
}

function seenText(each: ExpressionCoverage): string {
  if (each.evaluated === 0) return "never evaluated";
  const errors = each.errors === 0 ? [] : [`${each.errors} failed`];
  const seen = each.isBoolean ? [`${each.true} true`, `${each.false} false`] : [`${each.evaluated} evaluated`];
  return [...seen, ...errors].join(", ");
}
