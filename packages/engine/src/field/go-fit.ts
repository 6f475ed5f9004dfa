/**
 * Decoding for callers that only validate: the same value as from `decodeGo` with `keepEmpty`, but with members in input
 * order.
 *
 * It reports nothing: anything that needs a message (an unknown field, a value of another type) is left to the decoder.
 * Most objects need no message and take half the time.
 */
import {
  isArray,
  isInteger,
  isObject,
  type JsonObject,
  type JsonValue,
  newEmptyMap,
  newObject,
} from "../value/json.ts";
import { decodeGo } from "./go-decode.ts";
import { isHeld, isZero, layoutOf, zeroMember, zeroOf } from "./go-layout.ts";
import { fits } from "./go-scalar.ts";
import type { GoField, GoShape, GoStruct } from "./go-shape.ts";

/** Undefined if only the decoder can decide. */
export function fitGo(value: JsonObject, struct: GoStruct): JsonObject | undefined {
  const fitted = fitStruct(value, struct);
  return fitted === UNFIT ? undefined : fitted;
}

const UNFIT = Symbol("unfit");
type Unfit = typeof UNFIT;

/** Undefined if the zero value is meant. */
function fitValue(value: JsonValue, shape: GoShape): JsonValue | undefined | Unfit {
  switch (shape.kind) {
    case "string":
      return typeof value === "string" ? value : unlessNull(value);
    case "struct":
      return isObject(value) ? fitStruct(value, shape) : unlessNull(value);
    case "list":
      return isArray(value) ? fitList(value, shape.of) : unlessNull(value);
    case "map":
      return isObject(value) ? fitMap(value, shape.of) : unlessNull(value);
    case "int":
      return isInteger(value) && fits(value, shape.bits) ? value : unlessNull(value);
    case "bool":
      return typeof value === "boolean" ? value : unlessNull(value);
    case "raw":
      return value;
    case "custom":
      return fitCustom(value, shape);
    default:
      return fitScalar(value, shape);
  }
}

function unlessNull(value: JsonValue): undefined | Unfit {
  return value === null ? undefined : UNFIT;
}

function fitCustom(value: JsonValue, shape: GoShape & { readonly kind: "custom" }): JsonValue | Unfit {
  const { value: decoded, error } = shape.decode(value, {});
  return error === undefined ? decoded : UNFIT;
}

/** Times, bytes and floats: rare, and with forms of their own. */
function fitScalar(value: JsonValue, shape: GoShape): JsonValue | undefined | Unfit {
  if (value === null) return undefined;
  const { value: decoded, error } = decodeGo(value, shape);
  return error === undefined ? decoded : UNFIT;
}

function fitList(list: readonly JsonValue[], of: GoShape): JsonValue[] | Unfit {
  const fitted: JsonValue[] = [];
  for (let index = 0; index < list.length; index++) {
    const item = fitValue(list[index] as JsonValue, of);
    if (item === UNFIT) return UNFIT;
    fitted.push(item ?? zeroOf(of));
  }
  return fitted;
}

function fitMap(object: JsonObject, of: GoShape): JsonObject | Unfit {
  let fitted: JsonObject | undefined;
  for (const key in object) {
    const value = fitValue(object[key] as JsonValue, of);
    if (value === UNFIT) return UNFIT;
    fitted ??= newObject();
    fitted[key] = value ?? zeroOf(of);
  }
  return fitted ?? newEmptyMap();
}

function fitStruct(object: JsonObject, struct: GoStruct): JsonObject | Unfit {
  const fields = struct.fields();
  const fitted = newObject();
  // Objects of user data inherit nothing, so this loop sees their own keys only.
  for (const key in object) {
    const field = fields.get(key);
    if (field === undefined) return UNFIT;
    const value = fitMember(object[key] as JsonValue, field);
    if (value === UNFIT) return UNFIT;
    if (value !== undefined) fitted[key] = value;
  }
  addMissing(fitted, layoutOf(struct).always);
  return fitted;
}

/** Without iterators: nearly every member of every object passes here, mostly before the code is optimized. */
function addMissing(fitted: JsonObject, always: readonly (readonly [string, GoField])[]): void {
  for (let index = 0; index < always.length; index++) {
    const entry = always[index] as readonly [string, GoField];
    const key = entry[0];
    if (fitted[key] === undefined) fitted[key] = zeroMember(entry[1]);
  }
}

/** Undefined if the field is left out. */
function fitMember(value: JsonValue, field: GoField): JsonValue | undefined | Unfit {
  // A null leaves a pointer nil, without asking a type that decodes itself.
  if (value === null && field.isPointer) return undefined;
  const fitted = fitValue(value, field.shape);
  if (fitted === UNFIT || fitted === undefined) return fitted;
  return field.omitEmpty && !field.isPointer && !isHeld(fitted, field.shape) && isZero(fitted) ? undefined : fitted;
}
