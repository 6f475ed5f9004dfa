/** Where the checker finds object types. */
import type { Type } from "./type.ts";

/** Finds object types by name. Example: `{ findType: () => undefined, findField: () => undefined }`. */
export interface TypeProvider {
  /** The type with a name such as `google.type.X`, or undefined. */
  findType(name: string): Type | undefined;
  /** The type of a field of an object type, or undefined if there is no such field. */
  findField(typeName: string, field: string): Type | undefined;
}

export const NO_TYPES: TypeProvider = {
  findType: () => undefined,
  findField: () => undefined,
};
