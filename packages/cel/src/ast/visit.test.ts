import { expect, test } from "vitest";
import { parseOptions } from "../parse/options.ts";
import { parse } from "../parse/parser.ts";
import { Source } from "../source.ts";
import { children, walk } from "./visit.ts";

test("a walk meets every node, parents first", () => {
  const result = parse(new Source("a.f([b, {c: T{d: e}}], -1).g"), parseOptions());
  if (!result.ok) throw new Error("the expression should parse");
  const kinds: string[] = [];
  walk(result.ast.expr, (expr) => {
    kinds.push(expr.kind);
  });
  expect(kinds).toEqual(["select", "call", "ident", "list", "ident", "map", "ident", "struct", "ident", "literal"]);
});

test("a comprehension's children are in the order they run", () => {
  const result = parse(new Source("a.all(x, x)"), parseOptions());
  if (!result.ok) throw new Error("the expression should parse");
  expect(children(result.ast.expr).map((child) => child.kind)).toEqual(["ident", "literal", "call", "call", "ident"]);
});
