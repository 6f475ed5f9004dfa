/** The standard library: what every environment has. */
import type { Library } from "../library.ts";
import type { VariableDecl } from "../types/decl.ts";
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
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

export const standardLibrary: Library = {
  name: "cel.lib.std",
  functions: [
    ...logicFunctions,
    ...equalityFunctions,
    ...arithmeticFunctions,
    ...relationFunctions,
    ...collectionFunctions,
    ...conversionFunctions,
    ...stringFunctions,
    ...timeFunctions,
  ],
  variables: [
    typeName(BOOL),
    typeName(BYTES),
    typeName(DOUBLE),
    typeName(DURATION),
    typeName(INT),
    typeName(listOf(typeParam("A"))),
    typeName(mapOf(typeParam("A"), typeParam("B"))),
    typeName(NULL),
    typeName(STRING),
    typeName(TIMESTAMP),
    typeName(TYPE),
    typeName(UINT),
    typeName(objectType("google.protobuf.Empty")),
    { name: "google.protobuf.NullValue.NULL_VALUE", type: INT, value: 0 },
  ],
};

function typeName(type: Type): VariableDecl {
  return { name: runtimeTypeName(type), type: typeOf(type), value: new TypeValue(type) };
}
