/**
 * Compiling `x-kubernetes-validations`: for each rule a program, its estimated cost and how often it can run.
 *
 * Follows apiextensions pkg/apiserver/schema/cel/compilation.go. A rule that uses the name `oldSelf` anywhere, even for
 * a variable of its own, is a transition rule.
 */
import {
  type Ast,
  BOOL,
  type Environment,
  equalTypes,
  optionalOf,
  type Program,
  STRING,
  type Type,
} from "@portcullis/cel/internal";
import { trimSpace } from "@portcullis/gostd/space";
import { assignTypeName, type DeclType } from "../kubecel/decl-type.ts";
import { kubernetesEnvironment } from "../kubecel/environment.ts";
import { maxCardinality, PER_CALL_LIMIT } from "../kubecel/limits.ts";
import { declTypeSizeHints } from "../kubecel/size-hints.ts";
import { compatibilityVersion, type KubernetesVersion } from "../kubecel/versions.ts";
import type { Structural, ValidationRule } from "../schema/structural.ts";
import { resolveFieldPath } from "./field-path.ts";
import * as messages from "./messages.ts";
import { declTypeKey, type RuleCache } from "./rule-cache.ts";
import type { RuleTimes } from "./times.ts";

export interface CompiledRule {
  readonly rule: ValidationRule;
  /** Absent if the rule is empty or does not compile. */
  readonly program: Program | undefined;
  readonly error: string | undefined;
  readonly usesOldSelf: boolean;
  readonly maxCost: bigint;
  /** How many values of this schema fit into one request. */
  readonly maxCardinality: bigint;
  readonly messageProgram: Program | undefined;
  readonly messageError: string | undefined;
  readonly messageMaxCost: bigint;
  /** The rule's field path in the form of error paths; "" where it has none. */
  readonly fieldPath: string;
  /** For reports: the checked expression. */
  readonly ast: Ast | undefined;
}

export interface RuleCompileOptions {
  /** The server's version. */
  readonly version: KubernetesVersion;
  /** Expressions that were stored before may use all that any version knew; new ones only what the version does. */
  readonly isStored: (expression: string) => boolean;
  /** Where rules that were compiled before are found again. */
  readonly ruleCache?: RuleCache<CompiledRule> | undefined;
  readonly times?: RuleTimes | undefined;
}

/** `schema` has the rules' own node; `declared` is what `self` is declared as. */
export function compileRules(
  schema: Structural,
  rules: readonly ValidationRule[],
  declared: DeclType,
  options: RuleCompileOptions,
): CompiledRule[] {
  const { times } = options;
  if (times === undefined || rules.length === 0) return compileAll(schema, rules, declared, options);
  const start = times.clock();
  const compiled = compileAll(schema, rules, declared, options);
  times.compilation(times.clock() - start);
  return compiled;
}

function compileAll(
  schema: Structural,
  rules: readonly ValidationRule[],
  declared: DeclType,
  options: RuleCompileOptions,
): CompiledRule[] {
  let context: Context | undefined;
  const compile = (rule: ValidationRule): CompiledRule => {
    context ??= newContext(schema, declared, options);
    return compileRule(rule, context);
  };
  const { ruleCache } = options;
  if (ruleCache === undefined || rules.length === 0) return rules.map(compile);
  const type = declTypeKey(declared);
  return rules.map((rule) => {
    // A field path is looked up in the schema itself.
    if (rule.fieldPath !== "") return compile(rule);
    const compiled = ruleCache.get(ruleKey(rule, type, options), () => compile(rule));
    return { ...compiled, rule };
  });
}

function ruleKey(
  { rule, messageExpression, optionalOldSelf }: ValidationRule,
  type: string,
  options: RuleCompileOptions,
) {
  const modes = [options.isStored(rule), options.isStored(messageExpression), optionalOldSelf === true];
  return [options.version, modes, rule, messageExpression, type].join("\0");
}

interface Context {
  readonly schema: Structural;
  readonly declared: DeclType;
  readonly environment: (expression: string, optionalOldSelf: boolean) => Environment;
}

// Upstream appends the time in nanoseconds; what matters is that expressions cannot rely on the name.
const SELF_TYPE_NAME = "selfType1";

function newContext(schema: Structural, declared: DeclType, options: RuleCompileOptions): Context {
  const scoped = assignTypeName(declared, SELF_TYPE_NAME);
  const environments = new Map<string, Environment>();
  return {
    schema,
    declared: scoped,
    environment: (expression, optionalOldSelf) => {
      const mode = options.isStored(expression) ? "stored" : "new";
      const key = `${mode} ${optionalOldSelf}`;
      const known = environments.get(key);
      if (known !== undefined) return known;
      const oldSelf: Type = optionalOldSelf ? optionalOf(scoped.type) : scoped.type;
      const variables = { self: scoped.type, oldSelf };
      const made = kubernetesEnvironment({
        version: compatibilityVersion(options.version),
        serverVersion: options.version,
        mode,
        variables,
        declared: [scoped],
      });
      environments.set(key, made);
      return made;
    },
  };
}

const NOTHING: Omit<CompiledRule, "rule"> = {
  program: undefined,
  error: undefined,
  usesOldSelf: false,
  maxCost: 0n,
  maxCardinality: 0n,
  messageProgram: undefined,
  messageError: undefined,
  messageMaxCost: 0n,
  fieldPath: "",
  ast: undefined,
};

function compileRule(rule: ValidationRule, context: Context): CompiledRule {
  if (trimSpace(rule.rule) === "") return { rule, ...NOTHING };
  const environment = context.environment(rule.rule, rule.optionalOldSelf === true);
  const compiled = environment.compile(rule.rule);
  if (!compiled.ok) return { rule, ...NOTHING, error: messages.compilationFailed(compiled.text) };
  const { ast } = compiled;
  if (!equalTypes(ast.type, BOOL)) return { rule, ...NOTHING, error: messages.mustBeBool() };
  const usesOldSelf = [...ast.checked.references.values()].some(({ name }) => name === "oldSelf");
  const planned = environment.program(ast, { costLimit: PER_CALL_LIMIT });
  if (!planned.ok) return { rule, ...NOTHING, usesOldSelf, error: messages.instantiationFailed(planned.error.message) };
  const message = compileMessage(rule, context);
  return {
    rule,
    ...NOTHING,
    program: planned.program,
    usesOldSelf,
    ast,
    maxCost: environment.estimateCost(ast, declTypeSizeHints(context.declared)).max,
    maxCardinality: maxCardinality(context.declared.minSerializedSize),
    ...message,
    // Upstream does not come to the field path where the message expression fails to compile.
    fieldPath: message.messageError === undefined ? normalizedFieldPath(rule, context.schema) : "",
  };
}

type CompiledMessage = Pick<CompiledRule, "messageProgram" | "messageError" | "messageMaxCost">;

function compileMessage(rule: ValidationRule, context: Context): CompiledMessage {
  const none = { messageProgram: undefined, messageError: undefined, messageMaxCost: 0n };
  if (rule.messageExpression === "") return none;
  const environment = context.environment(rule.messageExpression, rule.optionalOldSelf === true);
  const compiled = environment.compile(rule.messageExpression);
  if (!compiled.ok) return { ...none, messageError: messages.messageCompilationFailed(compiled.text) };
  if (!equalTypes(compiled.ast.type, STRING)) return { ...none, messageError: messages.messageMustBeString() };
  const planned = environment.program(compiled.ast, { costLimit: PER_CALL_LIMIT });
  if (!planned.ok) return { ...none, messageError: messages.messageInstantiationFailed(planned.error.message) };
  const { max } = environment.estimateCost(compiled.ast, declTypeSizeHints(context.declared));
  return { messageProgram: planned.program, messageError: undefined, messageMaxCost: max };
}

function normalizedFieldPath(rule: ValidationRule, schema: Structural): string {
  if (rule.fieldPath === "") return "";
  const resolved = resolveFieldPath(rule.fieldPath, schema);
  return resolved.error === undefined ? resolved.path.toString() : "";
}
