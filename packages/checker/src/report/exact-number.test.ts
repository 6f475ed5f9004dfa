import { decodeJson } from "@portcullis/engine/internal/codec/json";
import { expect, test } from "vitest";
import { stringifyExact, toExact } from "./exact-number.ts";

function rewritten(text: string): string {
  const decoded = decodeJson(text);
  if (decoded.error !== undefined) throw new Error(decoded.error);
  return stringifyExact(toExact(decoded.value), 0);
}

test.each(['{"a":9223372036854775807}', '{"a":1.0}', '{"a":[9007199254740993,2.5,"1.0"]}', '{"a":"number 1"}'])(
  "numbers of %s keep their text",
  (text) => {
    expect(rewritten(text)).toBe(text);
  },
);
