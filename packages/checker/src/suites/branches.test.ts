/** Which branches of expressions the cases of a suite reached. */

import { observeProgram } from "@portcullis/cel/internal";
import { compiledPolicy } from "@portcullis/engine/internal/policy/compile";
import { readPolicy } from "@portcullis/engine/internal/policy/policy";
import { objectOf } from "@portcullis/engine/internal/value/read";
import { expect, test } from "vitest";
import { Branches } from "./branches.ts";

/** The branches of an expression after evaluations for these objects, as `line:column true/false text`. */
function seen(expression: string, ...objects: readonly object[]): string[] {
  const policy = readPolicy(
    objectOf({
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingAdmissionPolicy",
      metadata: { name: "p" },
      spec: { validations: [{ expression }] },
    }),
  );
  const [compiled] = compiledPolicy(policy).validations;
  const program = compiled?.program;
  if (compiled?.ast === undefined || program === undefined) throw new Error(compiled?.error?.detail);
  const branches = new Branches(compiled.ast);
  observeProgram(program, (id, value) => branches.note(id, value));
  for (const object of objects) program.evaluate({ object });
  return branches.list().map(({ line, column, isTrueSeen, isFalseSeen, text }) => {
    const found = [isTrueSeen && "true", isFalseSeen && "false"].filter(Boolean).join("/") || "never";
    return `${line}:${column} ${found} ${text}`;
  });
}

test.each([
  {
    name: "operands of a chain, of which the last was not needed",
    expression: "object.a > 1 || object.b > 1 || object.c > 1",
    objects: [
      { a: 2, b: 0, c: 0 },
      { a: 0, b: 2, c: 0 },
    ],
    branches: ["1:1 true/false object.a > 1", "1:17 true object.b > 1", "1:33 never object.c > 1"],
  },
  {
    name: "the condition of a choice, and what is in its arms",
    expression: "has(object.a) ?\n  object.a == 1 && object.b == 2 : true",
    objects: [{ a: 1, b: 2 }],
    branches: ["1:1 true has(object.a)", "2:3 true object.a == 1", "2:20 true object.b == 2"],
  },
  {
    name: "a presence test that is negated, within a chain",
    expression: "!has(object.a) || object.a != 3",
    objects: [{}, { a: 3 }],
    branches: ["1:2 true/false has(object.a)", "1:19 false object.a != 3"],
  },
  {
    name: "predicates of loops",
    expression: "object.l.all(x, x > 0) && object.l.exists_one(x, x == 1) && object.l.filter(x, x > 9).size() == 0",
    objects: [{ l: [1, 2] }],
    branches: [
      "1:1 true object.l.all(x, x > 0)",
      "1:17 true x > 0",
      "1:27 true object.l.exists_one(x, x == 1)",
      "1:50 true/false x == 1",
      "1:61 true object.l.filter(x, x > 9).size() == 0",
      "1:80 false x > 9",
    ],
  },
  { name: "none where nothing is decided", expression: "object.a == 1", objects: [{ a: 1 }], branches: [] },
])("$name", ({ expression, objects, branches }) => {
  expect(seen(expression, ...objects)).toEqual(branches);
});
