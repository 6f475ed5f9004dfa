/** Generators of expressions, well-formed and broken, for property tests. */
import { tests as conformance } from "@bufbuild/cel-spec/testdata/conformance.js";
import { tests as parsing } from "@bufbuild/cel-spec/testdata/parsing.js";
import fc from "fast-check";

type Suite = typeof parsing;

function expressionsOf(suite: Suite): string[] {
  const own = (suite.tests ?? []).map(({ original }) => original.expr);
  return [...own, ...(suite.suites ?? []).flatMap(expressionsOf)];
}

const seeds = [...new Set([...expressionsOf(parsing), ...expressionsOf(conformance)])].filter(
  (text) => text.length < 300,
);

/** Pieces that a slip of the finger might add or leave behind. */
const fragments = [
  ..."()[]{}.,:?!-+*/%<&|=`$@\\ \n'\"",
  ...[
    "<=",
    "==",
    "&&",
    "||",
    "true",
    "null",
    "1",
    "1u",
    "1.5",
    "0x",
    '"""',
    "r'",
    'b"',
    "a",
    "x.y",
    "for",
    "\\q",
    "//",
  ],
  ...["é", "😀", "has(", "a.all(x,", "T{a:", ".?", "[?", "1e400"],
];

/** Expressions of the test suites with pieces inserted, replaced, removed or cut off. */
export const brokenExpression: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom(...seeds),
    fc.array(
      fc.record({
        at: fc.double({ min: 0, max: 1, noNaN: true }),
        remove: fc.constantFrom(0, 0, 1, 2, 1000),
        insert: fc.constantFrom("", ...fragments),
      }),
      { minLength: 1, maxLength: 3 },
    ),
  )
  .map(([seed, edits]) => edits.reduce(applyEdit, seed));

function applyEdit(text: string, edit: { at: number; remove: number; insert: string }): string {
  const chars = [...text];
  chars.splice(Math.floor(edit.at * (chars.length + 1)), edit.remove, edit.insert);
  return chars.join("");
}

/** Well-formed expressions of every construct, with parentheses wherever they may stand. */
export const validExpression: fc.Arbitrary<string> = fc.letrec<{ expr: string; atom: string }>((tie) => {
  const expr = tie("expr");
  const join = (...parts: fc.Arbitrary<string>[]) => fc.tuple(...parts).map((texts) => texts.join(""));
  const text = (value: string) => fc.constant(value);
  const operand = fc.oneof(
    tie("atom"),
    expr.map((inner) => `(${inner})`),
  );
  const binary = fc.constantFrom("+", "-", "*", "/", "%", "<", "<=", ">", ">=", "==", "!=", " in ", "&&", "||");
  const name = fc.constantFrom("a", "b", "foo", "_x", "for", "int");
  return {
    atom: fc.oneof(
      fc.constantFrom(
        "a",
        "b",
        ".c",
        "null",
        "true",
        "false",
        "1",
        "-1",
        "0x1F",
        "7u",
        "1.5",
        "-2.0",
        "1e30",
        ".5",
        "-0.0",
      ),
      fc.constantFrom("9223372036854775807", "(-9223372036854775808)", "18446744073709551615u", "1e-300"),
      fc.constantFrom(
        "'s'",
        '"a\\n\\u00e9"',
        "r'\\d'",
        "'''x'y\n'''",
        "b'\\xff'",
        "'日本'",
        "'\"'",
        "b'é'",
        "'\\0007'",
      ),
    ),
    expr: fc.oneof(
      { maxDepth: 5, withCrossShrink: true },
      tie("atom"),
      join(operand, binary, operand),
      join(expr, fc.constantFrom("&&", "||"), expr, fc.constantFrom("&&", "||"), expr),
      join(fc.constantFrom("!", "-", "!!", "--"), operand),
      join(operand, text(" ? "), operand, text(" : "), expr),
      join(operand, fc.constantFrom(".", ".?"), name),
      join(operand, text("."), name, text("("), expr, text(","), expr, text(")")),
      join(operand, fc.constantFrom("[", "[?"), expr, text("]")),
      join(text("f("), expr, text(", 2)")),
      join(text("[?"), expr, text(", "), expr, text(",]")),
      join(text("{?"), expr, text(": "), expr, text(", 'k': "), expr, text("}")),
      join(text("pkg.T{?f: "), expr, text(", g: "), expr, text("}")),
      join(text("has("), operand, text(".f)")),
      join(
        operand,
        fc.constantFrom(".all(x, ", ".exists(x, ", ".map(x, ", ".filter(x, ", ".exists_one(x, "),
        expr,
        text(")"),
      ),
      join(operand, text(".map(x, "), expr, text(", "), expr, text(")")),
    ),
  };
}).expr;
