/** The messages of encoding/json when a value does not fit the Go type it is decoded into. */

export function wrongFieldType(found: string, struct: string, fields: readonly string[], type: string): string {
  return `json: cannot unmarshal ${found} into Go struct field ${struct}.${fields.join(".")} of type ${type}`;
}

export function wrongValueType(found: string, type: string): string {
  return `json: cannot unmarshal ${found} into Go value of type ${type}`;
}
