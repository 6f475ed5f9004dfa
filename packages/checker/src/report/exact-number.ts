/** Numbers of JSON that JavaScript cannot tell apart or hold: int64s beyond 2^53, and float64s without a fraction. */
import { Float64, isArray, isObject, type JsonValue } from "@portcullis/engine/internal/value/json";
import { canonicalJson } from "@portcullis/engine/internal/value/text";

/** A number by its text; where nobody looks it is an ordinary one. */
class ExactNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toJSON(): number {
    return Number(this.text);
  }
}

/** Plain data in which every number keeps its text. */
export function toExact(value: JsonValue): unknown {
  if (typeof value === "bigint" || value instanceof Float64) {
    return new ExactNumber(canonicalJson(value, { keepFloats: true }));
  }
  if (isArray(value)) return value.map(toExact);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, toExact(member)]));
}

/** `JSON.stringify`, with exact numbers as they are. */
export function stringifyExact(value: unknown, indent: number): string {
  const plain = JSON.stringify(value, (_, member: unknown) => (typeof member === "bigint" ? Number(member) : member));
  let mark = "number ";
  while (plain.includes(mark)) mark = `#${mark}`;
  const text = JSON.stringify(
    value,
    function (this: Record<string, unknown>, key: string, member: unknown) {
      const original = this[key];
      if (original instanceof ExactNumber) return `${mark}${original.text}`;
      return typeof member === "bigint" ? `${mark}${member}` : member;
    },
    indent,
  );
  return text.replaceAll(new RegExp(`"${mark}([^"]*)"`, "g"), "$1");
}
