import { expect, test } from "vitest";
import { INT } from "../types/type.ts";
import { ArrayList } from "./list.ts";
import { EntryMap } from "./map.ts";
import { displayText } from "./text.ts";
import { Bytes, Double, Duration, OptionalValue, Timestamp, TypeValue, Uint, type Value } from "./value.ts";

test.each<{ value: Value; text: string }>([
  { value: "a b", text: "a b" },
  { value: 2n ** 60n, text: "1152921504606846976" },
  { value: new Uint(5), text: "5" },
  { value: new Double(5), text: "5" },
  { value: new Double(1e21), text: "1e+21" },
  { value: null, text: "0" },
  { value: new Bytes(new Uint8Array([97, 98])), text: "[97 98]" },
  { value: new ArrayList([1, "a"]), text: "[1, a]" },
  { value: EntryMap.of([["a", 1]]), text: "{a: 1}" },
  { value: new Duration(3_600_000_000_000n), text: "1h0m0s" },
  { value: new Timestamp(0, 500_000_000), text: "1970-01-01 00:00:00.5 +0000 UTC" },
  { value: new Timestamp(0, 0, -5400), text: "1969-12-31 22:30:00 -0130 -0130" },
  { value: new TypeValue(INT), text: "int" },
  { value: new OptionalValue(1), text: "optional(1)" },
  { value: OptionalValue.none, text: "optional.none()" },
])("messages show $text", ({ value, text }) => {
  expect(displayText(value)).toBe(text);
});
