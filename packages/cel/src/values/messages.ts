/** The runtime errors of values and standard functions, in one file to compare with cel-go's. */
import { CelError } from "./value.ts";

export const intOverflow = (): CelError => new CelError("integer overflow");
export const uintOverflow = (): CelError => new CelError("unsigned integer overflow");
export const timestampOverflow = (): CelError => new CelError("timestamp overflow");
export const divisionByZero = (): CelError => new CelError("division by zero");
export const modulusByZero = (): CelError => new CelError("modulus by zero");
export const notOrdered = (): CelError => new CelError("NaN values cannot be ordered");
export const noSuchOverload = (): CelError => new CelError("no such overload");
export const invalidUtf8 = (): CelError => new CelError("invalid UTF-8 in bytes, cannot convert to string");
export const emptyOptional = (): CelError => new CelError("optional.none() dereference");

export function conversionError(from: string, to: string): CelError {
  return new CelError(`type conversion error from '${from}' to '${to}'`);
}

export function noSuchField(name: string): CelError {
  return new CelError(`no such field '${name}'`);
}

export function fieldConversionError(typeName: string, field: string, detail: string): CelError {
  return new CelError(`field type conversion error for ${typeName}.${field} value type: ${detail}`);
}

export function unsupportedFieldType(typeName: string, field: string, valueType: string): CelError {
  return new CelError(`unsupported field type for ${typeName}.${field}: ${valueType}`);
}

export function noSuchKey(key: string): CelError {
  return new CelError(`no such key: ${key}`);
}

export function keyExists(key: string): CelError {
  return new CelError(`insert failed: key ${key} already exists`);
}

export function indexOutOfRange(index: number | bigint, size: number): CelError {
  return new CelError(`index '${index}' out of range in list size '${size}'`);
}

export function unsupportedIndexValue(index: string): CelError {
  return new CelError(`unsupported index value ${index} in list`);
}

export function unsupportedIndexType(typeName: string): CelError {
  return new CelError(`unsupported index type '${typeName}' in list`);
}

export function unsupportedData(typeName: string, text: string): CelError {
  return new CelError(`unsupported conversion to ref.Val: (${typeName})${text}`);
}
