/**
 * The state of decoding into a Go struct: its position, its findings, and type errors as encoding/json reports them.
 */
import { isArray, isInteger, isNumber, type JsonNumber, type JsonObject, type JsonValue } from "../value/json.ts";
import { formatNumber } from "../value/number.ts";
import * as messages from "./go-messages.ts";
import type { GoShape, GoStruct, GoTypeError } from "./go-shape.ts";

export interface GoDecodeOptions {
  /**
   * Keep lists and maps that are empty but not nil. Go has them in memory, and some validation looks; they are left out
   * when written.
   */
  readonly keepEmpty?: boolean;
  /** Meet keys in sorted order: upstream turns YAML into JSON through a Go map. */
  readonly sortKeys?: boolean;
  /** The members of an object in which keys are repeated; undefined for others. Go decodes each into what is there. */
  readonly repeated?: (object: JsonObject) => readonly Entry[] | undefined;
}

export type Entry = readonly [key: string, value: JsonValue];

export interface State {
  readonly options: GoDecodeOptions;
  /** Keys and list indices, for unknown fields. */
  readonly path: (string | number)[];
  /** The innermost struct and the names of the fields that lead to here, for type errors. */
  context: GoStruct | undefined;
  readonly fields: string[];
  readonly unknown: string[];
  error: string | undefined;
  typeError: GoTypeError | undefined;
  /** A type that decodes itself stops everything with its error; later ones are never met. */
  isStopped: boolean;
}

export function newState(options: GoDecodeOptions): State {
  return {
    options,
    path: [],
    context: undefined,
    fields: [],
    unknown: [],
    error: undefined,
    typeError: undefined,
    isStopped: false,
  };
}

export function stop(state: State, error: string | undefined): undefined {
  if (error === undefined || state.isStopped) return;
  state.error = error;
  state.isStopped = true;
}

export function pathOf({ path }: State): string {
  const text = path.map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`)).join("");
  return text.startsWith(".") ? text.slice(1) : text;
}

export function mismatch(value: JsonValue, shape: GoShape, state: State): undefined {
  const isIntField = shape.kind === "int" && isNumber(value);
  const found = isIntField ? `number ${literal(value)}` : jsonName(value);
  if (state.error === undefined) {
    const struct = state.context && structName(state.context);
    state.typeError = { found, struct, fields: [...state.fields], go: shape.go };
    state.error = typeErrorText(state.typeError);
  }
  return undefined;
}

/** Go quotes the text as it was written. Of `1.0` and `1e0` only the value is left; the first is the likelier. */
function literal(value: JsonNumber): string {
  const text = formatNumber(value);
  return isInteger(value) || /[.e]/.test(text) ? text : `${text}.0`;
}

function structName(struct: GoStruct): string {
  return struct.go.slice(struct.go.lastIndexOf(".") + 1);
}

export function jsonName(value: JsonValue): string {
  if (typeof value === "string") return "string";
  if (typeof value === "boolean") return "bool";
  if (isNumber(value)) return "number";
  return isArray(value) ? "array" : "object";
}

/** Go overwrites the struct of an inner error with the outer one and puts the outer fields before the inner. */
export function placed(inner: GoTypeError, { context, fields }: State): GoTypeError {
  if (context === undefined) return inner;
  return { ...inner, struct: structName(context), fields: [...fields, ...inner.fields] };
}

export function typeErrorText({ found, struct, fields, go }: GoTypeError): string {
  return struct === undefined ? messages.wrongValueType(found, go) : messages.wrongFieldType(found, struct, fields, go);
}
