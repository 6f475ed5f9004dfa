/** The quick decoder beside the exact one, which a `maxDepth` asks for: same value, same error, same findings. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isArray, isNumber, isObject, type JsonValue } from "../value/json.ts";
import type { Outline } from "../value/outline.ts";
import { typedText } from "../value/typed-text.testing.ts";
import { type Decoded, type DecodeFailure, decodeJson } from "./json.ts";

const EXACT = { maxDepth: 10_000 };

/** Keys in the order they stand, which no verdict depends on but every listing shows. */
function orderedText(value: JsonValue): string {
  if (isNumber(value)) return typedText(value);
  if (isArray(value)) return `[${value.map(orderedText).join()}]`;
  if (!isObject(value)) return JSON.stringify(value);
  return `{${Object.keys(value).map((key) => `${JSON.stringify(key)}:${orderedText(value[key] ?? null)}`)}}`;
}

function answer(decoded: Decoded | DecodeFailure): unknown {
  if (decoded.error !== undefined) return decoded;
  return { value: orderedText(decoded.value), findings: decoded.strictErrors };
}

function expectSame(text: string): void {
  for (const duplicates of [true, false]) {
    expect(answer(decodeJson(text, { duplicates }))).toEqual(answer(decodeJson(text, { ...EXACT, duplicates })));
  }
}

const space = fc.constantFrom("", "", "", "", " ", "\n\t", "\r ");
const text = (name: string): string => JSON.stringify(name);
const escaped = (name: string): string =>
  `"${[...name].map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`).join("")}"`;

// Few, alike and awkward, so that the foretold key is often nearly right and keys repeat.
const KEYS = [
  "a",
  "ab",
  "abc",
  "b",
  "c",
  "__proto__",
  "constructor",
  "0",
  "",
  'q"',
  "back\\slash",
  "é",
  "\ud83d\ude00",
];
const name = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...KEYS).map(text) },
  { weight: 1, arbitrary: fc.constantFrom(...KEYS).map(escaped) },
);

const scalar = fc.constantFrom(
  ...["null", "true", "false", "0", "-0", "7", "-12", "1.0", "2.5", "1e3", "1E-2", "123456789012345"],
  ...["9007199254740993", "9223372036854775807", "9223372036854775808", "1e999", '""', '"text"', '"with \\n escape"'],
  ...['"\\ud83d\\ude00"', '"\\ud83d"', '"\\ud83d\\u0041"', '"é"', '"\ufffd"', '"a\\"b"'],
);

const document = fc.letrec<{ value: string; list: string; object: string }>((tie) => ({
  value: fc.oneof({ depthSize: "small", withCrossShrink: true }, scalar, tie("object"), tie("list")),
  list: fc.array(fc.tuple(space, tie("value"), space), { maxLength: 5 }).map((items) => `[${joined(items)}]`),
  object: fc
    .array(fc.tuple(space, name, space, fc.constant(":"), space, tie("value"), space), { maxLength: 6 })
    .map((members) => `{${joined(members)}}`),
})).value;

function joined(parts: readonly (readonly string[])[]): string {
  return parts.map((part) => part.join("")).join(",");
}

/** One object many times over, so that every key but the first few is foretold. */
const repetitive = fc.tuple(document, document).map(([one, other]) => `[${one},${one},${other},${one},${other}]`);

const SPLINTERS = [
  "",
  '"',
  "\\",
  ",",
  ":",
  "{",
  "}",
  "[",
  "]",
  " ",
  "\u0001",
  "a",
  "0",
  "-",
  ".",
  "e",
  "\\u12",
  "null",
];

const broken = fc
  .tuple(fc.oneof(document, repetitive), fc.nat(), fc.nat(3), fc.constantFrom(...SPLINTERS))
  .map(([whole, at, cut, splinter]) => {
    const start = at % (whole.length + 1);
    return whole.slice(0, start) + splinter + whole.slice(start + cut);
  });

describe("the quick decoder agrees with the exact one", () => {
  test.each([
    { name: "documents", texts: document },
    { name: "repetitive documents", texts: repetitive },
    { name: "broken documents", texts: broken },
  ])("$name", ({ texts }) => {
    fc.assert(fc.property(texts, expectSame), { numRuns: 1_500 });
  });

  test.each([
    { name: "great depth", text: `${"[".repeat(500)}${"]".repeat(500)}` },
    { name: "many different keys", text: `{${Array.from({ length: 20_000 }, (_, i) => `"k${i}":{}`).join()}}` },
    { name: "a key that a foretold one begins", text: '[{"ab":1},{"abc":2},{"a":3}]' },
    { name: "a quote inside a key that was met", text: '[{"a\\"b":1},{"a"b":2}]' },
    { name: "a key that comes again in the order foretold", text: '[{"a":1,"b":2},{"b":1,"a":2},{"a":1,"b":2,"a":3}]' },
    { name: "an object inside one of the same keys", text: '{"a":{"a":{"a":1}},"b":[[{"a":1}],{"a":2}]}' },
  ])("$name", ({ text: given }) => {
    expectSame(given);
  });
});

test("the outline has every key once and merges list items", () => {
  const decoded = decodeJson('{"l":[{"a":1,"b":null},{"b":2,"c":[[{"d":1}]]},{"b\\n":null}],"m":null}');
  const outline = decoded.error === undefined ? decoded.outline : undefined;
  expect(outline && draw(outline)).toBe("{l:[{a:b:?c:[[{d:}]]b\n:?}]m:?}");
});

function draw({ hasNull, members, items }: Outline): string {
  const inner = members.map((member) => `${member.key}:${draw(member)}`).join("");
  return `${hasNull ? "?" : ""}${inner === "" ? "" : `{${inner}}`}${items === undefined ? "" : `[${draw(items)}]`}`;
}
