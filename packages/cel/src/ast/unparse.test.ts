import fc from "fast-check";
import { expect, test } from "vitest";
import { validExpression } from "../parse/expressions.testing.ts";
import { parseOptions } from "../parse/options.ts";
import { parse } from "../parse/parser.ts";
import { Source } from "../source.ts";
import { debugString } from "./debug.testing.ts";
import type { ParsedAst } from "./expr.ts";
import { unparse } from "./unparse.ts";

const options = parseOptions({ optionalSyntax: true, identifierEscapeSyntax: true });

// biome-ignore format: a table
test.each([
  ["parentheses stay only where they matter", "((a)+(b*c))*(d)",          "(a + b * c) * d"],
  ["subtraction groups to the left",          "a-(b-c)-d",                "a - (b - c) - d"],
  ["a chain keeps its flat form",             "a&&b&&c&&d",               "a && b && c && d"],
  ["a chain grouped by hand keeps its groups", "a&&(b&&c)",               "a && (b && c)"],
  ["macros come back as written",             "[1].map( x , x>0 , x*2 )", "[1].map(x, x > 0, x * 2)"],
  ["nested macros too",                       "a.all(x,b.exists(y,has(x.y)))", "a.all(x, b.exists(y, has(x.y)))"],
  ["strings get double quotes",               "'it\\'s \"ok\"\\n'",       '"it\'s \\"ok\\"\\n"'],
  ["bytes become octal escapes",              "b'aé'",                    'b"\\141\\303\\251"'],
  ["doubles stay doubles",                    "[1.0, 1e30, 1u, 0x1F]",    "[1.0, 1e+30, 1u, 31]"],
  ["optional parts stay optional",            "{?a: b[?c].?d, 'e': [?f]}", '{?a: b[?c].?d, "e": [?f]}'],
  ["messages",                                "a.b.C{?d: 1, e: -2}",      "a.b.C{?d: 1, e: -2}"],
  ["unusual field names are escaped",         "a.`b-c`.`in`",             "a.`b-c`.`in`"],
  ["a ternary's parts are set apart",         "a?b&&c:d?e:f",             "a ? (b && c) : (d ? e : f)"],
  ["a sign is kept apart from a number",      "-(1) + -(-a) + (-a).b",    "-(1) + -(-a) + (-a).b"],
  ["absolute names",                          ".a.b + .f(1)",             ".a.b + .f(1)"],
])("%s", (_name, text, expected) => {
  const ast = parsed(text);
  expect(unparse(ast.expr, ast.info)).toBe(expected);
});

test("a line break follows a logical operator beyond column 80", () => {
  const name = "a".repeat(40);
  const ast = parsed(`${name} && ${name} || ${name} && ${name}`);
  expect(unparse(ast.expr, ast.info)).toBe(`${name} && ${name} ||\n${name} && ${name}`);
});

test("the text of a tree parses into that tree", () => {
  fc.assert(
    fc.property(validExpression, (text) => {
      const ast = parsed(text);
      const again = parsed(unparse(ast.expr, ast.info));
      expect(debugString(again.expr)).toBe(debugString(ast.expr));
    }),
    { numRuns: 5000, seed: 1 },
  );
});

function parsed(text: string): ParsedAst {
  const result = parse(new Source(text), options);
  if (!result.ok) throw new Error(`${text}: ${result.issues[0]?.message}`);
  return result.ast;
}
