/**
 * Replaces the engine's `builtin/kinds/kinds.ts` until that has been loaded: the rules of the built-in kinds are half of
 * the engine, and texts with custom resources alone never need them. Every cluster has namespaces and CRDs, so those two
 * are always there.
 *
 * A review that needs another kind before it is loaded throws `BuiltinKindsMissing`, and the worker tries again.
 */

import { customResourceDefinition } from "@portcullis/engine/internal/builtin/kinds/apiextensions/custom-resource-definition";
import { namespace } from "@portcullis/engine/internal/builtin/kinds/core/namespace";
import type { BuiltinKind } from "@portcullis/engine/internal/builtin/kinds/kind";

export interface BuiltinKinds {
  builtinKind(group: string, version: string, kind: string): BuiltinKind | undefined;
  filledTypes(): ReadonlySet<string>;
}

let real: BuiltinKinds | undefined;

export class BuiltinKindsMissing extends Error {
  override readonly name = "BuiltinKindsMissing";
}

export function setBuiltinKinds(kinds: BuiltinKinds): void {
  real = kinds;
}

export const builtinKind: BuiltinKinds["builtinKind"] = (group, version, kind) => {
  if (real !== undefined) return real.builtinKind(group, version, kind);
  if (group === "" && kind === "Namespace") return namespace;
  if (group === "apiextensions.k8s.io") return customResourceDefinition;
  throw new BuiltinKindsMissing();
};

export const filledTypes: BuiltinKinds["filledTypes"] = () => {
  if (real === undefined) throw new BuiltinKindsMissing();
  return real.filledTypes();
};
