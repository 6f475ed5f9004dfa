/** The standard library: what every environment has. */
import type { Library } from "../library.ts";
import type { CelGoVersion } from "../types/cel-go.ts";
import type { FunctionDecl, VariableDecl } from "../types/decl.ts";
import {
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
  STRING,
  TIMESTAMP,
  TYPE,
  type Type,
  typeOf,
  typeParam,
  UINT,
} from "../types/type.ts";
import { runtimeTypeName } from "../values/type-of.ts";
import { TypeValue } from "../values/value.ts";
import { arithmeticFunctions } from "./arithmetic.ts";
import { collectionFunctions } from "./collections.ts";
import { equalityFunctions, relationFunctions } from "./comparison.ts";
import { conversionFunctions } from "./conversions.ts";
import { logicFunctions } from "./logic.ts";
import { stringFunctions } from "./strings.ts";
import { timeFunctions } from "./time.ts";

export function standardLibrary(celGo: CelGoVersion): Library {
  return { name: "cel.lib.std", functions: functionsOf(celGo), variables: typeNames(celGo) };
}

/** Since 0.29 an int is not converted to a duration at all; before that it always failed. */
function functionsOf(celGo: CelGoVersion): readonly FunctionDecl[] {
  return celGo === "0.29" ? FUNCTIONS.map(withoutIntDuration) : FUNCTIONS;
}

function withoutIntDuration(declaration: FunctionDecl): FunctionDecl {
  if (declaration.name !== "duration") return declaration;
  return { ...declaration, overloads: declaration.overloads.filter(({ id }) => id !== "int64_to_duration") };
}

const FUNCTIONS: readonly FunctionDecl[] = [
  ...logicFunctions,
  ...equalityFunctions,
  ...arithmeticFunctions,
  ...relationFunctions,
  ...collectionFunctions,
  ...conversionFunctions,
  ...stringFunctions,
  ...timeFunctions,
];

function typeNames(celGo: CelGoVersion): readonly VariableDecl[] {
  const [key, value] = celGo === "0.29" ? [DYN, DYN] : [typeParam("A"), typeParam("B")];
  return [
    typeName(BOOL),
    typeName(BYTES),
    typeName(DOUBLE),
    typeName(DURATION),
    typeName(INT),
    typeName(listOf(key)),
    typeName(mapOf(key, value)),
    typeName(NULL),
    typeName(STRING),
    typeName(TIMESTAMP),
    typeName(TYPE),
    typeName(UINT),
    typeName(objectType("google.protobuf.Empty")),
    { name: "google.protobuf.NullValue.NULL_VALUE", type: INT, value: 0 },
  ];
}

function typeName(type: Type): VariableDecl {
  return { name: runtimeTypeName(type), type: typeOf(type), value: new TypeValue(type) };
}
