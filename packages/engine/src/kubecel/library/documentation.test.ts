import {
  type Environment,
  type FunctionDecl,
  isError,
  type Library,
  type Overload,
  type Reference,
} from "@portcullis/cel/internal";
import { expect, test } from "vitest";
import { baseOptions } from "../base-options.ts";
import { kubernetesEnvironment } from "../environment.ts";
import { AUTHORIZER_TYPE, AuthorizerValue } from "./authz.ts";
import { jsonPatchLibrary } from "./json-patch.ts";

const libraries: readonly Library[] = [...baseOptions(Number.POSITIVE_INFINITY, 37).libraries, jsonPatchLibrary];
const documented = libraries
  .filter(({ name }) => name.startsWith("kubernetes."))
  .flatMap(({ functions = [] }) => functions.flatMap(rows));

function rows({ name, overloads }: FunctionDecl) {
  return overloads.map((overload) => ({ name, id: overload.id, overload }));
}

const environment: Environment = kubernetesEnvironment({
  version: "1.36",
  mode: "stored",
  variables: { authorizer: AUTHORIZER_TYPE },
}).extend({ libraries: [jsonPatchLibrary] });
const user = { name: "u", uid: "", groups: [], extra: new Map() };
const authorizer = new AuthorizerValue(user, {
  authorize: () => ({ decision: "allow", reason: "", error: undefined }),
});

test("Kubernetes' libraries define many functions", () => {
  expect(new Set(documented.map(({ name }) => name)).size).toBeGreaterThan(70);
});

test.each(documented)("$id has a cost and documentation", ({ overload }) => {
  expect(overload.cost?.actual).toBeDefined();
  expect(overload.cost?.estimate).toBeDefined();
  expect(overload.doc).toMatch(/^\w+s .*[^.]$/);
});

test.each(documented)("the example of $id calls $name and is true", ({ name, overload }) => {
  const compiled = environment.compile(overload.example ?? "");
  if (!compiled.ok) throw new Error(compiled.text);
  const made = environment.program(compiled.ast);
  if (!made.ok) throw new Error(made.error.message);
  const { value } = made.program.evaluate({ authorizer });
  expect(isError(value) ? value.message : value).toBe(true);
  expect(called(compiled.ast.checked.references.values(), name, overload)).toBe(true);
});

/** The overloads of list functions for each type of element share an example. */
function called(references: Iterable<Reference>, name: string, { id }: Overload): boolean {
  const ids = new Set([...references].flatMap(({ overloadIds }) => overloadIds));
  const family = environment.functions().find((declared) => declared.name === name)?.overloads ?? [];
  return id.startsWith("list_") ? family.some((overload) => ids.has(overload.id)) : ids.has(id);
}
