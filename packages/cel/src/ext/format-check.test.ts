/** Findings recorded from cel-go with the libraries Kubernetes enables. */
import { expect, test } from "vitest";
import { check } from "../check/checker.ts";
import { CheckScope } from "../check/scope.ts";
import { parseOptions } from "../parse/options.ts";
import { parse } from "../parse/parser.ts";
import { Source } from "../source.ts";
import { standardLibrary } from "../stdlib/standard.ts";
import { checkFormatCalls } from "./format-check.ts";
import { optionalsLibrary } from "./optionals.ts";
import { stringsLibrary } from "./strings.ts";

const scope = CheckScope.create(standardLibrary("0.29")).extend(stringsLibrary(2)).extend(optionalsLibrary());

test.each([
  [
    '"%.99999999999999999999f".format([0.1])',
    33,
    'could not parse formatting clause: error while parsing precision: error while converting precision to integer: strconv.Atoi: parsing "99999999999999999999": value out of range',
  ],
  [
    '"%s".format([optional.of(1)])',
    25,
    "error during formatting: string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps, was given optional_type",
  ],
  [
    '"%s".format([[optional.of(1)]])',
    26,
    "error during formatting: string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps, was given optional_type",
  ],
  ['"%d".format(["a"])', 14, "error during formatting: decimal clause can only be used on integers, was given string"],
  ['"%d".format([1, 2])', 12, "too many arguments supplied to string.format (expected 1, got 2)"],
  ['"%d %d".format([1])', 15, "index 1 out of range"],
  ['"%".format([1])', 11, "unexpected end of string"],
  ['"%".format([])', 11, "unexpected end of string"],
  ['"%q".format([1])', 12, 'could not parse formatting clause: unrecognized formatting clause "q"'],
  [
    '"%.".format([1])',
    12,
    "could not parse formatting clause: error while parsing precision: could not find end of precision specifier",
  ],
  [
    '"%.3".format([1])',
    13,
    "could not parse formatting clause: error while parsing precision: could not find end of precision specifier",
  ],
  [
    '"%.s".format([1])',
    13,
    'could not parse formatting clause: error while parsing precision: error while converting precision to integer: strconv.Atoi: parsing "": invalid syntax',
  ],
  ['"%é".format([1])', 12, 'could not parse formatting clause: unrecognized formatting clause "Ã"'],
  [
    '"%x".format([true])',
    14,
    "error during formatting: only integers, byte buffers, and strings can be formatted as hex, was given bool",
  ],
  [
    '"%b".format([1.0])',
    14,
    "error during formatting: only integers and bools can be formatted as binary, was given double",
  ],
  ['"%o".format(["x"])', 14, "error during formatting: octal clause can only be used on integers, was given string"],
  ['"%d".format([1.0])', 14, "error during formatting: decimal clause can only be used on integers, was given double"],
  ['"%f".format([1])', 14, "error during formatting: fixed-point clause can only be used on doubles, was given int"],
])("%s has an error at column %i: %s", (expression, column, message) => {
  expect(findings(expression)).toEqual([{ column, message }]);
});

test.each([
  "'%d %s %f'.format([1, 'a', 1.0])",
  "'%s'.format([dyn(optional.of(1))])",
  "'%d'.format(dyn(['a']))",
  "'%s'.format([[1, 'a', {'b': null}]])",
  "string(1).format(['too', 'many'])",
])("%s has no issues at compile time", (expression) => {
  expect(findings(expression)).toEqual([]);
});

function findings(expression: string): { column: number; message: string }[] {
  const source = new Source(expression);
  const parsed = parse(source, parseOptions());
  const checked = parsed.ok ? check(parsed.ast, source, scope) : parsed;
  if (!("checked" in checked)) throw new Error(checked.ok ? "unchecked" : JSON.stringify(checked.issues));
  const { info } = checked.checked;
  return checkFormatCalls(checked.checked).map(({ at, problem }) => ({
    column: source.locate(info.positions.get(at)?.start ?? -1).column + 1,
    message: problem,
  }));
}
