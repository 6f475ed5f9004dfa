/**
 * Optional values. Version 1 added `optFlatMap`, version 2 (cel-go 0.23) `first`, `last` and the unwrapping of
 * lists; Kubernetes does not set a version and so has all that its cel-go has. Follows cel-go cel/library.go.
 *
 * `or`, `orValue` and the optional forms of selection and indexing may skip an operand, so the
 * evaluator implements them.
 */
import type { Library } from "../library.ts";
import { typed } from "../stdlib/typed.ts";
import { type CelGoVersion, NEWEST_CEL_GO } from "../types/cel-go.ts";
import { type FunctionDecl, fn, global, method, type Overload } from "../types/decl.ts";
import { BOOL, DYN, INT, listOf, mapOf, optionalOf, STRING, type Type, typeParam } from "../types/type.ts";
import { ArrayList } from "../values/list.ts";
import { emptyOptional } from "../values/messages.ts";
import { displayText } from "../values/text.ts";
import { RUNTIME_OPTIONAL } from "../values/type-of.ts";
import { type ListValue, OptionalValue, type Value } from "../values/value.ts";
import { isZeroValue } from "../values/zero.ts";
import { notOptional } from "./messages.ts";
import { optFlatMapMacro, optMapMacro } from "./opt-map.ts";

const K = typeParam("K");
const V = typeParam("V");
const OPTIONAL = optionalOf(V);
const LIST = listOf(V);
const MAP = mapOf(K, V);
const LATEST = 2;

/**
 * `optional.of`, `a.?b` and others.
 * @example new Environment({ libraries: [optionalsLibrary()] }).compile("optional.of(1).orValue(2)").ok // true
 */
export function optionalsLibrary(version: number = LATEST, celGo: CelGoVersion = NEWEST_CEL_GO): Library {
  return {
    name: "cel.lib.optional",
    functions: version >= 2 ? [...optionalFunctions, ...listFunctions] : optionalFunctions,
    macros: version >= 1 ? [optMapMacro, optFlatMapMacro] : [optMapMacro],
    types: [celGo === "0.29" ? optionalOf(DYN) : RUNTIME_OPTIONAL],
    optionalSyntax: true,
  };
}

// biome-ignore format: a table
const optionalFunctions: readonly FunctionDecl[] = [
  fn("optional.of",             [global("optional_of", [V], OPTIONAL, typed((value: Value) => new OptionalValue(value)))],        "returns an optional that holds the value", "optional.of(1).value() == 1"),
  fn("optional.ofNonZeroValue", [global("optional_ofNonZeroValue", [V], OPTIONAL, typed(ofNonZeroValue))],                        "returns an optional that holds the value; none if the value is zero or empty", "!optional.ofNonZeroValue('').hasValue()"),
  fn("optional.none",           [global("optional_none", [], OPTIONAL, typed(() => OptionalValue.none))],                         "returns an optional that holds no value", "!optional.none().hasValue()"),
  fn("value",                   [method("optional_value", OPTIONAL, [], V, typed((optional: OptionalValue) => heldValue(optional)))], "returns the value that the optional holds; an error if it holds none", "optional.of(1).value() == 1"),
  fn("hasValue",                [method("optional_hasValue", OPTIONAL, [], BOOL, typed((optional: OptionalValue) => optional.value !== undefined))], "returns true if the optional holds a value", "optional.of(1).hasValue()"),
  fn("or",                      [lazy("optional_or_optional", true, [OPTIONAL, OPTIONAL], OPTIONAL)],                             "returns the first of two optionals that holds a value", "optional.none().or(optional.of(1)).value() == 1"),
  fn("orValue",                 [lazy("optional_orValue_value", true, [OPTIONAL, V], V)],                                         "returns the value that the optional holds, or the argument if it holds none", "optional.none().orValue(1) == 1"),
  fn("_?._",                    [lazy("select_optional_field", false, [DYN, STRING], OPTIONAL)],                                  "selects a field as an optional", "{'a': 1}.?a.orValue(0) == 1"),
  fn("_[?_]", [
    lazy("list_optindex_optional_int",          false, [LIST, INT],             OPTIONAL),
    lazy("optional_list_optindex_optional_int", false, [optionalOf(LIST), INT], OPTIONAL),
    lazy("map_optindex_optional_value",         false, [MAP, K],                OPTIONAL),
    lazy("optional_map_optindex_optional_value", false, [optionalOf(MAP), K],   OPTIONAL),
  ], "returns the element of a list or the entry of a map as an optional", "[1][?5].orValue(0) == 0"),
  fn("_[_]", [
    lazy("optional_list_index_int",  false, [optionalOf(LIST), INT], OPTIONAL),
    lazy("optional_map_index_value", false, [optionalOf(MAP), K],    OPTIONAL),
  ]),
];

// biome-ignore format: a table
const listFunctions: readonly FunctionDecl[] = [
  fn("last",            [method("list_last",  LIST, [], OPTIONAL, typed((list: ListValue) => elementAt(list, list.size - 1)))], "returns the last element of a list as an optional", "[1, 2].last().value() == 2"),
  fn("first",           [method("list_first", LIST, [], OPTIONAL, typed((list: ListValue) => elementAt(list, 0)))],             "returns the first element of a list as an optional", "[1, 2].first().value() == 1"),
  fn("optional.unwrap", [global("optional_unwrap", [listOf(OPTIONAL)], LIST, typed(unwrap))],                                  "returns the values that a list of optionals holds", "optional.unwrap([optional.of(1), optional.none()]) == [1]"),
  fn("unwrapOpt",       [method("optional_unwrapOpt", listOf(OPTIONAL), [], LIST, typed(unwrap))],                             "returns the values that a list of optionals holds", "[optional.of(1), optional.none()].unwrapOpt() == [1]"),
];

function lazy(id: string, member: boolean, params: readonly Type[], result: Type): Overload {
  return { id, member, params, result, call: undefined };
}

function ofNonZeroValue(value: Value): OptionalValue {
  return isZeroValue(value) ? OptionalValue.none : new OptionalValue(value);
}

/** The result of `optional.value()`. */
function heldValue(optional: OptionalValue): Value {
  return optional.value === undefined ? emptyOptional() : optional.value;
}

function elementAt(list: ListValue, index: number): OptionalValue {
  return list.size === 0 ? OptionalValue.none : new OptionalValue(list.at(index));
}

function unwrap(list: ListValue): Value {
  const values: Value[] = [];
  for (let index = 0; index < list.size; index++) {
    const optional = list.at(index);
    if (!(optional instanceof OptionalValue)) return notOptional(displayText(optional));
    if (optional.value !== undefined) values.push(optional.value);
  }
  return new ArrayList(values);
}
