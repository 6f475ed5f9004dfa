/**
 * Declared types as the checker looks them up, by the names `assignTypeName` gave them.
 *
 * From 1.31 on an expression may name a field with the name of a reserved word without escaping it
 * (`self.namespace` besides `self.__namespace__`); the cost estimate, which uses escaped names, then does not know
 * its size. Follows apiserver pkg/cel/types.go.
 */
import {
  ANY,
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  INT,
  listOf,
  mapOf,
  NULL,
  STRING,
  TIMESTAMP,
  type Type,
  type TypeProvider,
  UINT,
} from "@portcullis/cel";
import type { DeclType } from "./decl-type.ts";
import { isReservedWord } from "./escaping.ts";

const BUILTIN: ReadonlyMap<string, Type> = new Map([
  ["bool", BOOL],
  ["bytes", BYTES],
  ["double", DOUBLE],
  ["duration", DURATION],
  ["int", INT],
  ["null_type", NULL],
  ["string", STRING],
  ["timestamp", TIMESTAMP],
  ["uint", UINT],
  ["list", listOf(ANY)],
  ["map", mapOf(ANY, ANY)],
]);

export interface ProviderOptions {
  /** Resolve `a.namespace` like `a.__namespace__`. */
  readonly keywordFields: boolean;
}

/** Resolves the named types of these declarations for the type checker. */
export function declTypeProvider(roots: readonly DeclType[], { keywordFields }: ProviderOptions): TypeProvider {
  const registered = new Map<string, DeclType>();
  for (const root of roots) register(typeName(root), root, registered);

  return {
    findType: (name) => registered.get(name)?.type ?? BUILTIN.get(name),
    findField(typeName, field) {
      const declared = registered.get(typeName);
      const found = declared?.fields?.get(field);
      if (found !== undefined) return found.type;
      const keyword = keywordFields && isReservedWord(field) ? declared?.fields?.get(`__${field}__`) : undefined;
      if (keyword !== undefined) return keyword.type;
      return declared?.key === undefined ? undefined : declared.element?.type;
    },
  };
}

function typeName({ type }: DeclType): string {
  return type.kind === "object" ? type.name : type.kind;
}

function register(path: string, declared: DeclType, registered: Map<string, DeclType>): void {
  const { fields, key, element } = declared;
  if (fields !== undefined) {
    registered.set(typeName(declared), declared);
    for (const [name, field] of fields) register(`${path}.${name}`, field, registered);
  }
  if (element === undefined) return;
  register(`${path}.${key === undefined ? "@idx" : "@elem"}`, element, registered);
  registered.set(path, declared);
}
