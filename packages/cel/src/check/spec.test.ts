/**
 * cel-go's own checker tests, as the cel-spec package carries them: a type, or the whole of the error text.
 * Those about protobuf messages are left out.
 */
import { tests } from "@bufbuild/cel-spec/testdata/checking.js";
import { expect, test } from "vitest";
import { formatIssues } from "../issue.ts";
import { parseOptions } from "../parse/options.ts";
import { parse } from "../parse/parser.ts";
import { Source } from "../source.ts";
import { standardLibrary } from "../stdlib/standard.ts";
import type { FunctionDecl, VariableDecl } from "../types/decl.ts";
import * as types from "../types/type.ts";
import { check } from "./checker.ts";
import { CheckScope } from "./scope.ts";

/** Types and declarations in protobuf's JSON form. */
interface SpecType {
  readonly primitive?: string;
  readonly wrapper?: string;
  readonly dyn?: object;
  readonly typeParam?: string;
  readonly listType?: { readonly elemType: SpecType };
  readonly mapType?: { readonly keyType: SpecType; readonly valueType: SpecType };
  readonly abstractType?: { readonly name: string; readonly parameterTypes?: readonly SpecType[] };
}

interface SpecOverload {
  readonly overloadId: string;
  readonly params?: readonly SpecType[];
  readonly resultType: SpecType;
  readonly isInstanceFunction?: boolean;
}

interface SpecDecl {
  readonly name: string;
  readonly ident?: { readonly type: SpecType };
  readonly function?: { readonly overloads: readonly SpecOverload[] };
}

const PRIMITIVES: ReadonlyMap<string, types.Type> = new Map([
  ["BOOL", types.BOOL],
  ["INT64", types.INT],
  ["UINT64", types.UINT],
  ["DOUBLE", types.DOUBLE],
  ["STRING", types.STRING],
  ["BYTES", types.BYTES],
]);

function toType(type: SpecType): types.Type {
  if (type.primitive !== undefined) return PRIMITIVES.get(type.primitive) ?? types.ERROR;
  if (type.wrapper !== undefined) return types.wrapperOf(PRIMITIVES.get(type.wrapper) ?? types.ERROR);
  if (type.typeParam !== undefined) return types.typeParam(type.typeParam);
  if (type.listType !== undefined) return types.listOf(toType(type.listType.elemType));
  if (type.mapType !== undefined) return types.mapOf(toType(type.mapType.keyType), toType(type.mapType.valueType));
  if (type.abstractType !== undefined) {
    return types.opaqueType(type.abstractType.name, ...(type.abstractType.parameterTypes ?? []).map(toType));
  }
  return types.DYN;
}

function toFunction(name: string, overloads: readonly SpecOverload[]): FunctionDecl {
  return {
    name,
    overloads: overloads.map((overload) => ({
      id: overload.overloadId,
      member: overload.isInstanceFunction ?? false,
      params: (overload.params ?? []).map(toType),
      result: toType(overload.resultType),
      call: undefined,
    })),
  };
}

const base = CheckScope.create({
  settings: { celGo: "0.26" },
  functions: [
    ...(standardLibrary("0.26").functions ?? []),
    toFunction("fg_s", [{ overloadId: "fg_s_0", resultType: { primitive: "STRING" } }]),
    toFunction("fi_s_s", [
      {
        overloadId: "fi_s_s_0",
        params: [{ primitive: "STRING" }],
        resultType: { primitive: "STRING" },
        isInstanceFunction: true,
      },
    ]),
  ],
  variables: [
    ...(standardLibrary("0.26").variables ?? []),
    { name: "is", type: types.STRING },
    { name: "ii", type: types.INT },
    { name: "iu", type: types.UINT },
    { name: "iz", type: types.BOOL },
    { name: "ib", type: types.BYTES },
    { name: "id", type: types.DOUBLE },
    { name: "ix", type: types.NULL },
  ],
});

function scopeFor(declarations: readonly SpecDecl[], container: string): CheckScope {
  const variables: VariableDecl[] = [];
  const functions: FunctionDecl[] = [];
  for (const { name, ident, function: declared } of declarations) {
    if (ident !== undefined) variables.push({ name, type: toType(ident.type) });
    if (declared !== undefined) functions.push(toFunction(name, declared.overloads));
  }
  return base.extend({ variables, functions, settings: { container } });
}

/** The type, or the error text. */
function outcome(text: string, scope: CheckScope): string {
  const source = new Source(text);
  const parsed = parse(source, parseOptions());
  if (!parsed.ok) return formatIssues(source, parsed.issues);
  const result = check(parsed.ast, source, scope);
  if (!result.ok) return formatIssues(source, result.issues);
  return types.formatType(result.checked.types.get(result.checked.expr.id) ?? types.ERROR);
}

const cases = (tests.tests ?? []).flatMap((entry) => {
  if (!("original" in entry)) return [];
  const {
    expr,
    container = "",
    typeEnv = [],
  } = entry.original as {
    expr: string;
    container?: string;
    typeEnv?: readonly SpecDecl[];
  };
  const needsMessages = /test|proto|syntax/i.test(JSON.stringify(entry.original) + (entry.error ?? ""));
  return needsMessages ? [] : [{ expr, container, typeEnv, expected: entry.error ?? entry.type ?? "" }];
});

test("most of the cases need no protobuf", () => {
  expect(cases.length).toBeGreaterThan(70);
});

test.each(cases)("$expr", ({ expr, container, typeEnv, expected }) => {
  expect(outcome(expr, scopeFor(typeEnv, container))).toBe(expected);
});
