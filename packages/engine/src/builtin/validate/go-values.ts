/** Lists and maps in messages up to 1.33, as Go's `%#v` prints them: with the types that the fields have. */

import { quote } from "@portcullis/gostd/quote";
import { type BadValue, type FieldError, GoJson } from "../../field/error.ts";
import { goTime } from "../../field/format.ts";
import { isArray, isNumber, isObject, type JsonObject, type JsonValue, sortedKeys } from "../../value/json.ts";
import { formatNumber } from "../../value/number.ts";
import { since } from "../../value/server-version.ts";

/** The types of items that are not strings and 32-bit numbers, by the name of the list. */
const ITEM_TYPES: Readonly<Record<string, string>> = {
  operations: "admissionregistration.OperationType",
  policyTypes: "networking.PolicyType",
  scopes: "core.ResourceQuotaScope",
  validationActions: "admissionregistration.ValidationAction",
  volumeLifecycleModes: "storage.VolumeLifecycleMode",
};

/** The errors of a built-in kind, with the values as the version prints them. */
export function asPrinted(errors: FieldError[]): FieldError[] {
  if (since("1.34")) return errors;
  return errors.map((error) => {
    const { badValue } = error;
    if (badValue === undefined || badValue instanceof GoJson) return error;
    if (!isArray(badValue) && !isObject(badValue)) return error;
    return { ...error, badValue: new GoJson(printed(badValue, error.path.toString())) };
  });
}

function printed(value: JsonValue, path: string): string {
  if (isArray(value)) {
    const name = /(?<!\w)(\w+)(?:\[[^\]]*\])*$/.exec(path)?.[1] ?? "";
    const type = ITEM_TYPES[name] ?? (value.some(isNumber) ? "int32" : "string");
    return `[]${type}{${value.map(plain).join(", ")}}`;
  }
  if (!isObject(value)) return plain(value);
  return `map[string]string{${sortedKeys(value)
    .map((key) => `${quote(key)}:${plain(value[key] ?? null)}`)
    .join(", ")}}`;
}

function plain(value: JsonValue): string {
  if (isNumber(value)) return formatNumber(value);
  return typeof value === "string" ? quote(value) : String(value);
}

/** A value that Go prints by its own method, such as a resource name: without quotes up to 1.33. */
export function unquoted(text: string): BadValue {
  return since("1.34") ? text : new GoJson(text);
}

/** A time, which Go prints by its own method up to 1.33. */
export function timeValue(text: string): BadValue {
  return since("1.34") ? text : new GoJson(goTime(text));
}

/** A number or a string in one field. */
export function intOrString(value: JsonValue): BadValue {
  if (since("1.34")) return value;
  const text = typeof value === "string" ? value : undefined;
  const number = text === undefined ? plain(value) : "0";
  return new GoJson(
    `intstr.IntOrString{Type:${text === undefined ? 0 : 1}, IntVal:${number}, StrVal:${quote(text ?? "")}}`,
  );
}

/** A list or a map that is not there. Example: `nilOf("map[string]string")`. */
export function nilOf(type: string): GoJson {
  return new GoJson(since("1.34") ? "null" : `${type}(nil)`);
}

const DECIMAL_SCALES: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
const BINARY_POWERS: Readonly<Record<string, bigint>> = { Ki: 1n, Mi: 2n, Gi: 3n, Ti: 4n, Pi: 5n, Ei: 6n };

/** What Go keeps of a quantity. */
export interface QuantityParts {
  readonly value: string;
  readonly scale: number;
  readonly format: "DecimalSI" | "BinarySI";
}

/** Of a quantity in its canonical form. Go also shows how it was written first, which is not known here. */
export function quantityParts(text: string): QuantityParts | undefined {
  const [, digits, suffix = ""] = /^(-?\d+)([numkMGTPE]?|[KMGTPE]i)$/.exec(text) ?? [];
  if (digits === undefined) return undefined;
  const power = BINARY_POWERS[suffix];
  const value = power === undefined ? digits : String(BigInt(digits) * 1024n ** power);
  return { value, scale: DECIMAL_SCALES[suffix] ?? 0, format: power === undefined ? "DecimalSI" : "BinarySI" };
}

/** A quantity in its canonical form. */
export function quantityValue(text: string): BadValue {
  const parts = since("1.34") ? undefined : quantityParts(text);
  if (parts === undefined) return text;
  const { value, scale, format } = parts;
  const amount = `resource.int64Amount{value:${value}, scale:${scale}}`;
  return new GoJson(
    `resource.Quantity{i:${amount}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:${quote(text)}, Format:"${format}"}`,
  );
}

/** Bytes: in JSON as base64. */
export function bytesValue(base64: JsonValue | undefined, bytes: Uint8Array | undefined): BadValue {
  if (since("1.34")) return base64 ?? null;
  if (bytes === undefined || base64 === undefined || base64 === null) return new GoJson("[]byte(nil)");
  return new GoJson(`[]byte{${[...bytes].map((byte) => `0x${byte.toString(16)}`).join(", ")}}`);
}

/** A list of amounts by resource. */
export function resourceList(list: JsonObject): BadValue {
  if (since("1.34")) return list;
  const amounts = sortedKeys(list).map((name) => {
    const amount = quantityValue(String(list[name]));
    return `${quote(name)}:${amount instanceof GoJson ? amount.text : quote(String(list[name]))}`;
  });
  return new GoJson(`core.ResourceList{${amounts.join(", ")}}`);
}
