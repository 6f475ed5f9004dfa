/**
 * The keywords `type`, `nullable` and, where it replaces the type, `format`.
 *
 * Two quirks of upstream are kept: text and lists pass any type but the numeric ones as soon as a format is set, and a
 * float64 counts as an integer when it is integral within a billionth.
 */
import type { JsonValue } from "../../value/json.ts";
import type { Finding, Place } from "../finding.ts";
import { wrongType } from "../messages.ts";
import { ARRAY, INTEGER, kindMask, kindName, NULL, NUMBER, STRING } from "./kind.ts";
import { isNearlyInteger } from "./near-integer.ts";

export interface TypeCheck {
  readonly names: string;
  readonly mask: number;
  readonly format: string;
  readonly nullable: boolean;
}

/** Undefined if there is nothing to check. */
export function compileType(types: readonly string[], format: string, nullable: boolean): TypeCheck | undefined {
  if (types.length === 0 && format === "") return undefined;
  return { names: types.join(","), mask: kindMask(types), format, nullable };
}

export function fitsType({ mask, names, format, nullable }: TypeCheck, value: JsonValue, kind: number): boolean {
  if ((mask & kind) !== 0) return true;
  if (kind === NULL) return nullable || names === "";
  if (kind === INTEGER) return (mask & NUMBER) !== 0;
  if (kind === NUMBER) return (mask & INTEGER) !== 0 && isNearlyInteger(value);
  const isTextOrList = kind === STRING || kind === ARRAY;
  return isTextOrList && format !== "" && (mask & (NUMBER | INTEGER)) === 0;
}

/** What to say of a value that does not fit. */
export function typeFinding({ names, format }: TypeCheck, kind: number, place: Place | undefined): Finding {
  const isCompared = kind !== STRING && kind !== ARRAY && kind !== NULL;
  if (isCompared && format !== "" && format !== goFormat(kind)) return wrongType(place, format, goFormat(kind), "type");
  return wrongType(place, names, kindName(kind), "type");
}

/** The format upstream infers from the Go type that the decoder made. */
function goFormat(kind: number): string {
  if (kind === INTEGER) return "int64";
  return kind === NUMBER ? "float64" : "";
}
