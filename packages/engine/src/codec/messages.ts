/** What decoding says: the texts of Go's JSON scanner, of sigs.k8s.io/json and sigs.k8s.io/yaml. */
import { quote } from "@portcullis/gostd/quote";

export const UNEXPECTED_END = "unexpected end of JSON input";

/** `byte` is printed as the character with that code, because Go looks at single bytes. */
export function invalidCharacter(byte: number, context: string): string {
  return `invalid character ${quoteByte(byte)} ${context}`;
}

function quoteByte(byte: number): string {
  if (byte === 0x27) return `'\\''`;
  if (byte === 0x22) return `'"'`;
  return `'${quote(String.fromCharCode(byte)).slice(1, -1)}'`;
}

export function numberOutOfRange(literal: string): string {
  return `json: cannot unmarshal number ${literal} into Go value of type float64`;
}

export function duplicateField(path: string): string {
  return `duplicate field ${quote(path)}`;
}

export function unknownField(path: string): string {
  return `unknown field ${quote(path)}`;
}

export function strictDecoding(errors: readonly string[]): string {
  return `strict decoding error: ${errors.join(", ")}`;
}
