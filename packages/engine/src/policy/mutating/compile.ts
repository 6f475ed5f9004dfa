/** Compiling the expressions of a mutating policy. Follows apiserver pkg/admission/plugin/policy/mutating/compilation.go. */
import { listOf, type Type } from "@portcullis/cel";
import type { KubernetesVersion } from "../../kubecel/versions.ts";
import { type CompiledExpression, ExpressionCompiler, RETURNS_BOOL } from "../compile.ts";
import type { MutatingPolicy } from "./policy.ts";
import { JSON_PATCH_TYPE, OBJECT_TYPE } from "./types.ts";

export type PatchType = "ApplyConfiguration" | "JSONPatch";

/** What each kind of mutation must evaluate to. */
export const RETURNS: Readonly<Record<PatchType, readonly Type[]>> = {
  ApplyConfiguration: [OBJECT_TYPE],
  JSONPatch: [listOf(JSON_PATCH_TYPE)],
};

export interface CompiledMutation {
  readonly patchType: PatchType;
  readonly compiled: CompiledExpression;
}

export interface CompiledMutatingPolicy {
  readonly policy: MutatingPolicy;
  /** By name; of several variables of one name the last. They cannot make objects or patches. */
  readonly variables: ReadonlyMap<string, CompiledExpression>;
  readonly matchConditions: readonly CompiledExpression[];
  /** Without those that say nothing. */
  readonly mutations: readonly CompiledMutation[];
}

function compilePolicy(policy: MutatingPolicy, serverVersion: KubernetesVersion | undefined): CompiledMutatingPolicy {
  const compiler = new ExpressionCompiler({ serverVersion, composes: true });
  const declared = { hasParams: policy.paramKind !== undefined, hasAuthorizer: true };
  const forPatches = { ...declared, hasPatchTypes: true };
  const variables = new Map<string, CompiledExpression>();
  for (const { name, expression } of policy.variables) {
    variables.set(name, compiler.compileVariable(name, expression, declared, "stored"));
  }
  const mutation = (patchType: PatchType, expression: string | undefined): CompiledMutation[] => {
    if (expression === undefined) return [];
    return [{ patchType, compiled: compiler.compile(expression, RETURNS[patchType], forPatches, "stored") }];
  };
  return {
    policy,
    variables,
    matchConditions: policy.matchConditions.map(({ expression }) =>
      compiler.compile(expression, RETURNS_BOOL, declared, "stored"),
    ),
    mutations: policy.mutations.flatMap(({ patchType, applyConfiguration, jsonPatch }) => {
      if (patchType === "JSONPatch") return mutation("JSONPatch", jsonPatch);
      return patchType === "ApplyConfiguration" ? mutation("ApplyConfiguration", applyConfiguration) : [];
    }),
  };
}

interface Compilation {
  readonly version: KubernetesVersion | undefined;
  readonly compiled: CompiledMutatingPolicy;
}

const compilations = new WeakMap<MutatingPolicy, Compilation>();

/** Compiles once for each policy object, and again for another version. */
export function compiledMutatingPolicy(
  policy: MutatingPolicy,
  serverVersion?: KubernetesVersion,
): CompiledMutatingPolicy {
  const known = compilations.get(policy);
  if (known !== undefined && known.version === serverVersion) return known.compiled;
  const compiled = compilePolicy(policy, serverVersion);
  compilations.set(policy, { version: serverVersion, compiled });
  return compiled;
}
