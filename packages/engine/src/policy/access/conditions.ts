/**
 * The match conditions of webhooks that authorize: expressions about the spec of a SubjectAccessReview.
 *
 * They are compiled as stored expressions. Follows apiserver pkg/authorization/cel. Upstream sets no limit of cost; here
 * it is that of any expression.
 */
import { BOOL, type Environment, equalTypes, isError, type Program } from "@portcullis/cel/internal";
import { list, map, object, TEXT } from "../../kubecel/declared.ts";
import { kubernetesEnvironment } from "../../kubecel/environment.ts";
import { PER_CALL_LIMIT } from "../../kubecel/limits.ts";
import type { KubernetesVersion } from "../../kubecel/versions.ts";
import { isEnabled } from "../../value/gates.ts";
import type { JsonObject } from "../../value/json.ts";
import { declaredTypeText } from "../compile.ts";
import * as messages from "../messages.ts";

export interface AccessCondition {
  readonly expression: string;
  readonly program: Program;
}

/** A text says why the expression is refused. */
export function compileAccessCondition(expression: string, version: KubernetesVersion): AccessCondition | string {
  const environment = environmentFor(version);
  const compiled = environment.compile(expression);
  if (!compiled.ok) return messages.compilationFailed(compiled.text);
  const { ast } = compiled;
  if (!equalTypes(ast.type, BOOL)) return messages.conditionNotBool(declaredTypeText(ast.type));
  const planned = environment.program(ast, { costLimit: PER_CALL_LIMIT });
  return planned.ok ? { expression, program: planned.program } : messages.instantiationFailed(planned.error.message);
}

export interface AccessConditionsResult {
  /** One of them is false; errors of others do not matter then. */
  readonly isExcluded: boolean;
  readonly errors: readonly string[];
}

/** `spec` has all fields but selectors, empty ones too. */
export function evaluateAccessConditions(
  conditions: readonly AccessCondition[],
  spec: JsonObject,
): AccessConditionsResult {
  const errors: string[] = [];
  const resolve = (name: string): unknown => (name === "request" ? spec : undefined);
  for (const { expression, program } of conditions) {
    const { value } = program.evaluate(resolve);
    if (isError(value)) errors.push(messages.conditionError(expression, value.message));
    else if (value !== true) return { isExcluded: true, errors };
  }
  return { isExcluded: false, errors };
}

const environments = new Map<string, Environment>();

function environmentFor(version: KubernetesVersion): Environment {
  const hasSelectors = isEnabled("AuthorizeWithSelectors");
  const key = `${version} ${hasSelectors}`;
  let made = environments.get(key);
  if (made === undefined) {
    const type = reviewSpecType(hasSelectors);
    const variables = { request: type.type };
    made = kubernetesEnvironment({ version, serverVersion: version, mode: "stored", variables, declared: [type] });
    environments.set(key, made);
  }
  return made;
}

function reviewSpecType(hasSelectors: boolean) {
  const texts = ["namespace", "verb", "group", "version", "resource", "subresource", "name"];
  return object("kubernetes.SubjectAccessReviewSpec", {
    resourceAttributes: object("kubernetes.ResourceAttributes", {
      ...Object.fromEntries(texts.map((name) => [name, TEXT])),
      ...(hasSelectors && {
        fieldSelector: selectorType("kubernetes.FieldSelectorAttributes"),
        labelSelector: selectorType("kubernetes.LabelSelectorAttributes"),
      }),
    }),
    nonResourceAttributes: object("kubernetes.NonResourceAttributes", { path: TEXT, verb: TEXT }),
    user: TEXT,
    groups: list(TEXT),
    extra: map(list(TEXT)),
    uid: TEXT,
  });
}

function selectorType(name: string) {
  const requirement = object("kubernetes.SelectorRequirement", { key: TEXT, operator: TEXT, values: list(TEXT) });
  return object(name, { rawSelector: TEXT, requirements: list(requirement) });
}
