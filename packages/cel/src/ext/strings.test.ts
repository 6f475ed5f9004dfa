/** Answers recorded from cel-go with the libraries Kubernetes enables. */
import { expect, test } from "vitest";
import { ArrayList } from "../values/list.ts";
import { CelError, Double } from "../values/value.ts";
import { evaluate, evaluateToText } from "./evaluate.testing.ts";
import { joinNative } from "./join.ts";
import { resultTooLarge } from "./messages.ts";
import { stringsLibrary } from "./strings.ts";

test.each([
  ["'tacocat'.charAt(3)", '"o"'],
  ["'tacocat'.charAt(7)", '""'],
  ["'tacocat'.charAt(8)", "index out of range: 8"],
  ["'tacocat'.charAt(-1)", "index out of range: -1"],
  ["'a🛡b'.charAt(1)", '"🛡"'],
  ["'a🛡b'.charAt(2)", '"b"'],
  ["'hello mellow'.indexOf('ello')", "1"],
  ["'hello mellow'.indexOf('ello', 2)", "7"],
  ["'hello mellow'.indexOf('', 99)", "12"],
  ["'hello mellow'.indexOf('x')", "-1"],
  ["'hello'.indexOf('l', -1)", "index out of range: -1"],
  ["'hello'.indexOf('l', 5)", "-1"],
  ["'🛡🛡b🛡b'.indexOf('b', 3)", "4"],
  ["'hello mellow'.lastIndexOf('ello')", "7"],
  ["'hello mellow'.lastIndexOf('ello', 6)", "1"],
  ["'hello'.lastIndexOf('')", "5"],
  ["'hello'.lastIndexOf('', -5)", "index out of range: -5"],
  ["'hello'.lastIndexOf('l', -1)", "index out of range: -1"],
  ["'hello'.lastIndexOf('l', 5)", "-1"],
  ["'🛡b🛡b'.lastIndexOf('b')", "3"],
  ["'🛡b🛡b'.lastIndexOf('b', 2)", "1"],
  ["'aaa'.lastIndexOf('aaaa', 2)", "-1"],
  ["'TacoCatÉ'.lowerAscii()", '"tacocatÉ"'],
  ["'tacocaté'.upperAscii()", '"TACOCATé"'],
  ["'hello hello'.replace('he', 'we')", '"wello wello"'],
  ["'hello hello'.replace('he', 'we', 1)", '"wello hello"'],
  ["'hello'.replace('l', '$&', -1)", '"he$&$&o"'],
  ["'hello'.replace('l', 'x', 0)", '"hello"'],
  ["'a🛡'.replace('', '-')", '"-a-🛡-"'],
  ["'a🛡'.replace('', '-', 2)", '"-a-🛡"'],
  ["'hello hello'.split(' ')", '["hello", "hello"]'],
  ["'a::b:c::'.split('::')", '["a", "b:c", ""]'],
  ["'a::b:c::'.split('::').size()", "3"],
  ["''.split(',').size()", "1"],
  ["'aaa'.split('aa').size()", "2"],
  ["'a,b'.split(',').size() == 2 && 'a,b'.split(',')[1] == 'b'", "true"],
  ["'a,b,c'.split(',', 2)", '["a", "b,c"]'],
  ["'a,b,c'.split(',', 0)", "[]"],
  ["'a,b,c'.split(',', -1)", '["a", "b", "c"]'],
  ["'a🛡b'.split('')", '["a", "🛡", "b"]'],
  ["'a🛡b'.split('', 2)", '["a", "🛡b"]'],
  ["''.split('')", "[]"],
  ["''.split(',')", '[""]'],
  ["'tacocat'.substring(4)", '"cat"'],
  ["'tacocat'.substring(7)", '""'],
  ["'tacocat'.substring(8)", "index out of range: 8"],
  ["'tacocat'.substring(0, 4)", '"taco"'],
  ["'tacocat'.substring(4, 0)", "invalid substring range. start: 4, end: 0"],
  ["'tacocat'.substring(-1, 2)", "index out of range: -1"],
  ["'tacocat'.substring(1, 20)", "index out of range: 20"],
  ["'a🛡b'.substring(1, 2)", '"🛡"'],
  ["' \\u0085\\u00a0\\u3000a\\ufeff\\t'.trim()", '"a\\ufeff"'],
  ["['a', 'b'].join()", '"ab"'],
  ["['a', 'b'].join(', ')", '"a, b"'],
  ['[dyn("a"), dyn(1)].join()', "join: invalid input: 1"],
  ["strings.quote('a\"b\\\\\\n\\a\\u007f🛡')", '"\\"a\\\\\\"b\\\\\\\\\\\\n\\\\a\\x7f🛡\\""'],
])("%s is %s", (expression, expected) => {
  expect(evaluateToText(expression)).toBe(expected);
});

test("a replacement whose result would not fit in memory is an error before it is built", () => {
  const large = "a".repeat(100_000);
  expect(evaluate("text.replace('a', text)", { text: large })).toEqual(resultTooLarge());
  expect(evaluate("text.replace('', text)", { text: large })).toEqual(resultTooLarge());
});

test("a long text with millions of matches is replaced", () => {
  const text = "a$&".repeat(500_000);
  expect(evaluate("text.replace('a', '$&')", { text })).toBe("$&$&".repeat(500_000));
  expect(evaluate("text.replace('b', 'c')", { text })).toBe(text);
});

test("a join whose result would not fit in memory is an error before it is built", () => {
  const list = new ArrayList(Array.from({ length: 1000 }, () => "a"));
  expect(evaluate("list.join(text)", { list, text: "b".repeat(1_000_000) })).toEqual(resultTooLarge());
});

test.each([
  { name: "an int", element: 1, message: "unsupported type conversion from 'int' to string" },
  { name: "a double", element: new Double(1), message: "type conversion error from Double to 'string'" },
  { name: "null", element: null, message: "type conversion error from 'null_type' to 'string'" },
])("version 0 of join has Go's error for $name", ({ element, message }) => {
  expect(joinNative(new ArrayList(["a", element]), "")).toEqual(new CelError(message));
});

test.each([
  { version: 0, has: ["join"], hasNot: ["format", "strings.quote"] },
  { version: 2, has: ["join", "format", "strings.quote"], hasNot: ["reverse"] },
])("version $version has $has and not $hasNot", ({ version, has, hasNot }) => {
  const names = (stringsLibrary(version).functions ?? []).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(has));
  for (const name of hasNot) expect(names).not.toContain(name);
});
