/** Runs a case of the cel-spec suites with our engine. Each check returns undefined or an error message. */
import {
  BOOL,
  BYTES,
  DOUBLE,
  Environment,
  equalTypes,
  formatCalls,
  formatType,
  INT,
  isError,
  type Library,
  listsLibrary,
  NULL,
  optionalsLibrary,
  runtimeTypeName,
  STRING,
  setsLibrary,
  stringsLibrary,
  TypeValue,
  twoVarLibrary,
  UINT,
  type Value,
  type VariableDecl,
} from "@portcullis/cel/internal";
import { encodeValue } from "../cel/encode.ts";
import { functionsOf, toType, toValue, variablesOf } from "./convert.ts";
import type { SpecCase, SpecTest, SpecValue } from "./suite.ts";

/** What cel-go's checker tests declare on top of the standard library. */
const CHECKER_VARIABLES: readonly VariableDecl[] = [
  { name: "is", type: STRING },
  { name: "ii", type: INT },
  { name: "iu", type: UINT },
  { name: "iz", type: BOOL },
  { name: "ib", type: BYTES },
  { name: "id", type: DOUBLE },
  { name: "ix", type: NULL },
];

const CHECKER_FUNCTIONS = functionsOf([
  { name: "fg_s", function: { overloads: [{ overloadId: "fg_s_0", resultType: { primitive: "STRING" } }] } },
  {
    name: "fi_s_s",
    function: {
      overloads: [
        {
          overloadId: "fi_s_s_0",
          params: [{ primitive: "STRING" }],
          resultType: { primitive: "STRING" },
          isInstanceFunction: true,
        },
      ],
    },
  },
]);

const CHECKER_LIMITS = { maxRecursionDepth: 32, errorRecoveryLimit: 4, errorRecoveryLookaheadLimit: 4 };
const checker = new Environment({
  libraries: [{ name: "checker tests", functions: CHECKER_FUNCTIONS }],
  variables: CHECKER_VARIABLES,
  settings: { celGo: "0.26", parse: { ...CHECKER_LIMITS, identifierEscapeSyntax: false } },
});

/** Most suites were compiled with extensions, but without the syntax of optionals. */
const extendedChecker = checker.extend({
  libraries: [stringsLibrary(4, "0.26"), { ...optionalsLibrary(2, "0.26"), optionalSyntax: false }],
  settings: { validators: [formatCalls] },
});

// The CEL suite is written for environments with every extension.
const complete = new Environment({
  libraries: [
    stringsLibrary(4, "0.26"),
    listsLibrary(3, "0.26"),
    setsLibrary,
    optionalsLibrary(2, "0.26"),
    twoVarLibrary,
  ],
  settings: { celGo: "0.26", crossTypeNumericComparisons: true, parse: { identifierEscapeSyntax: true } },
});

function withDeclarations(base: Environment, { typeEnv = [], container = "" }: SpecTest): Environment {
  const library: Library = { name: "test", functions: functionsOf(typeEnv) };
  return base.extend({ libraries: [library], variables: variablesOf(typeEnv), settings: { container } });
}

/** Compiles as cel-go did: to the same type, or with the same message. */
export function checkCompilation({ id, test, compiled }: SpecCase): string | undefined {
  const base = id.startsWith("conformance/") || id.startsWith("comprehension/") ? extendedChecker : checker;
  const result = withDeclarations(base, test).compile(test.expr);
  const got = result.ok ? formatType(result.ast.type) : result.text;
  // Some were recorded under other descriptions than `<input>`.
  const want = compiled?.replace(/^ERROR: .*?:(-?\d+:\d+: )/gm, "ERROR: <input>:$1");
  return got === want ? undefined : `want ${want}\ngot  ${got}`;
}

/** Evaluates to the value, or to an error, as specified. */
export function checkEvaluation({ test }: SpecCase): string | undefined {
  const environment = withDeclarations(complete, test);
  const result = environment.compile(test.expr);
  if (!result.ok) return test.evalError === undefined ? result.text : undefined;
  const wrongType = checkType(test, result.ast.type);
  if (wrongType !== undefined || test.checkOnly === true) return wrongType;
  const made = environment.program(result.ast);
  if (!made.ok) return test.evalError === undefined ? made.error.message : undefined;
  const bound: Record<string, Value> = {};
  for (const [name, binding] of Object.entries(test.bindings ?? {})) {
    const value = toValue(binding.value);
    if (value === undefined) return "a binding needs protobuf";
    bound[name] = value;
  }
  return checkValue(test, made.program.evaluate(bound).value);
}

function checkType({ typedResult }: SpecTest, got: Parameters<typeof formatType>[0]): string | undefined {
  if (typedResult?.deducedType === undefined) return undefined;
  const want = toType(typedResult.deducedType);
  return equalTypes(want, got) ? undefined : `want type ${formatType(want)}\ngot  type ${formatType(got)}`;
}

function checkValue(test: SpecTest, got: Value): string | undefined {
  if (test.evalError !== undefined) return isError(got) ? undefined : `want an error, got ${show(got)}`;
  if (isError(got)) return `error ${got.message}`;
  const spec = test.value ?? test.typedResult?.result ?? { boolValue: true };
  if (spec.typeValue !== undefined) return checkTypeName(spec.typeValue, got);
  const want = toValue(spec);
  if (want === undefined) return "the expected value needs protobuf";
  return show(want) === show(got) ? undefined : `want ${show(want)}\ngot  ${show(got)}`;
}

function checkTypeName(want: SpecValue["typeValue"], got: Value): string | undefined {
  const name = got instanceof TypeValue ? runtimeTypeName(got.type) : show(got);
  return name === want ? undefined : `want type ${want}, got ${name}`;
}

function show(value: Value): string {
  return JSON.stringify(encodeValue(value));
}
