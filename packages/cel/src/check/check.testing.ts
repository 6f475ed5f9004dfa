/** A small world for the tests of this folder: an object with fields, some variables, the standard library. */
import { parseOptions } from "../parse/options.ts";
import { parse } from "../parse/parser.ts";
import { Source } from "../source.ts";
import { standardLibrary } from "../stdlib/standard.ts";
import type { CostNode, SizeEstimate } from "../types/cost.ts";
import { type FunctionDecl, fn } from "../types/decl.ts";
import type { TypeProvider } from "../types/provider.ts";
import {
  ANY,
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listOf,
  mapOf,
  NULL,
  objectType,
  optionalOf,
  STRING,
  TIMESTAMP,
  TYPE,
  type Type,
  typeParam,
  UINT,
  wrapperOf,
} from "../types/type.ts";
import { type CheckResult, check } from "./checker.ts";
import { CheckScope } from "./scope.ts";

const FIELDS: Readonly<Record<string, Readonly<Record<string, Type>>>> = {
  Obj: {
    name: STRING,
    count: INT,
    items: listOf(objectType("Item")),
    labels: mapOf(STRING, STRING),
    sub: objectType("Sub"),
    any: DYN,
  },
  Item: { a: STRING, b: STRING, n: INT, tags: listOf(STRING) },
  Sub: { text: STRING, count: INT },
};

const provider: TypeProvider = {
  findType: (name) => (Object.hasOwn(FIELDS, name) ? objectType(name) : undefined),
  findField: (typeName, field) => FIELDS[typeName]?.[field],
};

const V = typeParam("V");

function declare(
  name: string,
  overloads: readonly (readonly [string, boolean, readonly Type[], Type])[],
): FunctionDecl {
  return fn(
    name,
    overloads.map(([id, member, params, result]) => ({ id, member, params, result, call: undefined })),
  );
}

const FUNCTIONS = [
  declare("optional.of", [["optional_of", false, [V], optionalOf(V)]]),
  declare("orValue", [["optional_orValue_value", true, [optionalOf(V), V], V]]),
  declare("_[?_]", [
    ["list_optindex_optional_int", false, [listOf(V), INT], optionalOf(V)],
    ["map_optindex_optional_value", false, [mapOf(typeParam("K"), V), typeParam("K")], optionalOf(V)],
  ]),
];

const VARIABLES: Readonly<Record<string, Type>> = {
  self: objectType("Obj"),
  d: DYN,
  any: ANY,
  s: STRING,
  i: INT,
  u: UINT,
  f: DOUBLE,
  b: BOOL,
  bs: BYTES,
  l: listOf(INT),
  ls: listOf(STRING),
  m: mapOf(STRING, INT),
  mm: mapOf(STRING, listOf(STRING)),
  t: TIMESTAMP,
  dur: DURATION,
  o: optionalOf(STRING),
  n: NULL,
  ty: TYPE,
  w: wrapperOf(INT),
  "a.b": INT,
};

export const testScope = CheckScope.create({
  functions: [...(standardLibrary("0.29").functions ?? []), ...FUNCTIONS],
  variables: [
    ...(standardLibrary("0.29").variables ?? []),
    ...Object.entries(VARIABLES).map(([name, type]) => ({ name, type })),
  ],
  settings: { provider, crossTypeNumericComparisons: true },
});

const OPTIONS = parseOptions({ optionalSyntax: true });

/** Throws if the text does not parse: these tests are about what comes after. */
export function checkText(text: string, scope: CheckScope = testScope): CheckResult {
  const source = new Source(text);
  const parsed = parse(source, OPTIONS);
  if (!parsed.ok) throw new Error(`${text}: ${parsed.issues.map((issue) => issue.message).join("; ")}`);
  return check(parsed.ast, source, scope);
}

export function checkedText(text: string, scope: CheckScope = testScope) {
  const result = checkText(text, scope);
  if (!result.ok) throw new Error(`${text}: ${result.issues.map((issue) => issue.message).join("; ")}`);
  return result.checked;
}

const SIZES: ReadonlyMap<string, readonly [bigint, bigint]> = new Map([
  ["self.name", [0n, 63n]],
  ["self.labels", [0n, 20n]],
  ["self.labels.@keys", [0n, 30n]],
  ["self.labels.@values", [0n, 40n]],
  ["self.items", [0n, 10n]],
  ["self.items.@items.a", [1n, 5n]],
  ["self.items.@items.tags", [0n, 7n]],
  ["self.items.@items.tags.@items", [0n, 9n]],
  ["self.items.@items.b", [0n, 1n << 40n]],
  ["self.sub.text", [2n, 100n]],
  ["ls", [0n, 1000n]],
  ["ls.@items", [0n, 12n]],
  ["mm", [0n, 4n]],
  ["mm.@values", [1n, 6n]],
  ["mm.@values.@items", [3n, 8n]],
  ["l", [0n, 1n << 63n]],
]);

/** Sizes that parts of the variables are known to have. */
export const testHints = {
  estimateSize(node: CostNode): SizeEstimate | undefined {
    const bounds = SIZES.get(node.path.join("."));
    return bounds && { min: bounds[0], max: bounds[1] };
  },
};
