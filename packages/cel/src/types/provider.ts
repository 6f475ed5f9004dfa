/** Where the checker finds object types. Knows nothing of values. */
import type { Type } from "./type.ts";

export interface TypeProvider {
  /** The type named, as an expression may name it (`google.type.X`), or undefined. */
  findType(name: string): Type | undefined;
  /** The type of a field of an object type, or undefined where there is no such field. */
  findField(typeName: string, field: string): Type | undefined;
  /** For struct literals: false where a type of that name exists but cannot be built. */
  fieldNames?(typeName: string): readonly string[] | undefined;
}

export const NO_TYPES: TypeProvider = {
  findType: () => undefined,
  findField: () => undefined,
};
