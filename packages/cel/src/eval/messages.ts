/** The errors of evaluation itself, in one file to compare with cel-go's interpreter. */
import { CelError } from "../values/value.ts";

export const costLimitExceeded = (): CelError => new CelError("operation cancelled: actual cost limit exceeded");

export const noSuchAttribute = (name: string): CelError => new CelError(`no such attribute(s): ${name}`);

/** The message of attributes; `list.get(i)` inside a function has "index 'i' out of range". */
export const indexOutOfBounds = (index: string): CelError => new CelError(`index out of bounds: ${index}`);

export const invalidQualifier = (goType: string): CelError => new CelError(`invalid qualifier type: ${goType}`);

export const noSuchOverloadOf = (functionName: string): CelError => new CelError(`no such overload: ${functionName}`);

export function noSuchOverloadFor(functionName: string, argTypes: readonly string[]): CelError {
  return new CelError(`no such overload: ${functionName}(${argTypes.join(", ")})`);
}

export const notIterable = (goType: string): CelError => new CelError(`got '${goType}', expected iterable type`);

export const unsupportedRange = (goType: string): CelError =>
  new CelError(`unsupported comprehension range type: ${goType}`);

export const notAnOptionalElement = (value: string): CelError =>
  new CelError(`cannot initialize optional list element from non-optional value ${value}`);

export const notAnOptionalEntry = (key: string, value: string): CelError =>
  new CelError(`cannot initialize optional entry '${key}' from non-optional value ${value}`);

export const internalError = (detail: string): CelError => new CelError(`internal error: ${detail}`);

export const unhashable = (goType: string): string => `runtime error: hash of unhashable type ${goType}`;

export function notALister(goType: string, missing: "Add" | "Contains"): string {
  return `interface conversion: ${goType} is not traits.Lister: missing method ${missing}`;
}

export const undefinedType = (name: string): CelError => new CelError(`reference to undefined type: ${name}`);

export const unknownType = (typeName: string): CelError => new CelError(`unknown type: ${typeName}`);
