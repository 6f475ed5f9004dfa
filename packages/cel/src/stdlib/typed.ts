/** The only place where an implementation's parameter types replace `Value`. */
import type { Implementation } from "../types/decl.ts";
import type { Value } from "../values/value.ts";

/** Safe because overloads are only called with arguments of their declared types (see `Overload`). */
export function typed<Args extends readonly Value[]>(call: (...args: Args) => Value): Implementation {
  return call as unknown as Implementation;
}
