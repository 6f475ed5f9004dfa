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

/** Where custom resources are pruned and patches are converted, upstream does not escape the path. */
export function unknownFieldUnescaped(path: string): string {
  return `unknown field "${path}"`;
}

export function badSeparator(rest: string): string {
  return `invalid Yaml document separator: ${rest}`;
}

/** What sigs.k8s.io/yaml's Unmarshal, and so kubectl, puts before an error. */
export function convertingYaml(error: string): string {
  return `error converting YAML to JSON: ${error}`;
}

export function duplicateYamlKeys(lines: readonly string[]): string {
  return `${YAML_ERRORS}\n  ${lines.join("\n  ")}`;
}

export const YAML_ERRORS = "yaml: unmarshal errors:";

export function strictDecoding(errors: readonly string[]): string {
  return `strict decoding error: ${errors.join(", ")}`;
}
