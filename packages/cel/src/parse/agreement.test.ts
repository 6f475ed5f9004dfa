/** Both parsers must accept the same texts and build the same trees. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Adorner, debugString } from "../ast/debug.testing.ts";
import type { ParsedAst } from "../ast/expr.ts";
import { Source } from "../source.ts";
import { brokenExpression, validExpression } from "./expressions.testing.ts";
import { parseValid } from "./fast-parser.ts";
import { parseOptions } from "./options.ts";
import { parseWithIssues } from "./syntax-errors.ts";

const variants = [
  { name: "the defaults", options: parseOptions() },
  { name: "the optional syntax", options: parseOptions({ optionalSyntax: true }) },
  { name: "escaped names", options: parseOptions({ optionalSyntax: true, identifierEscapeSyntax: true }) },
];

for (const { name, options } of variants) {
  test(`both parsers agree on broken expressions, with ${name}`, () => {
    fc.assert(
      fc.property(brokenExpression, (text) => {
        const fast = parseValid(text, options);
        const careful = parseWithIssues(new Source(text), options);
        expect(describe(careful.ast)).toBe(describe(fast));
        expect(careful.issues.length > 0).toBe(fast === undefined);
      }),
      { numRuns: 1500, seed: 1 },
    );
  });
}

test("both parsers build the same tree of a valid expression", () => {
  const options = parseOptions({ optionalSyntax: true });
  fc.assert(
    fc.property(validExpression, (text) => {
      const fast = parseValid(text, options);
      expect(fast).toBeDefined();
      expect(describe(parseWithIssues(new Source(text), options).ast)).toBe(describe(fast));
    }),
    { numRuns: 1000, seed: 1 },
  );
});

function describe(ast: ParsedAst | undefined): string {
  if (ast === undefined) return "no tree";
  const adorn: Adorner = ({ id }) => {
    const range = ast.info.positions.get(id);
    return `#${id}[${range?.start},${range?.stop}]`;
  };
  const macros = [...ast.info.macroCalls].map(([id, call]) => `${id}: ${debugString(call, adorn)}`);
  return [debugString(ast.expr, adorn), ...macros].join("\n");
}
