/** Indexing, membership and size. */
import { countRunes } from "@portcullis/gostd/utf8";
import { type FunctionDecl, fn, global, method } from "../types/decl.ts";
import { BOOL, BYTES, INT, listOf, mapOf, STRING, typeParam } from "../types/type.ts";
import { listElement, listIncludes } from "../values/list.ts";
import { mapEntry } from "../values/map.ts";
import { type Bytes, CelError, type ListValue, type MapValue, type Value } from "../values/value.ts";
import { typed } from "./typed.ts";

const A = typeParam("A");
const B = typeParam("B");
const LIST = listOf(A);
const MAP = mapOf(A, B);

const sizeOfBytes = typed((bytes: Bytes) => bytes.data.length);
const sizeOfList = typed((list: ListValue) => list.size);
const sizeOfMap = typed((map: MapValue) => map.size);
const sizeOfString = typed((text: string) => countRunes(text));

/** An entry that is bad data is an error in presence tests too. */
function mapIncludes(key: Value, map: MapValue): boolean | CelError {
  const found = map.get(key);
  return found instanceof CelError ? found : found !== undefined;
}

// biome-ignore format: a table
export const collectionFunctions: readonly FunctionDecl[] = [
  fn("_[_]", [
    global("index_list", [LIST, INT], A, typed(listElement)),
    global("index_map",  [MAP, A],    B, typed(mapEntry)),
  ], "returns the element of a list at an index, or the value of a map at a key", "[1, 2][0] == 1 && {'a': 1}['a'] == 1"),
  fn("@in", [
    global("in_list", [A, LIST], BOOL, typed((value: Value, list: ListValue) => listIncludes(list, value))),
    global("in_map",  [A, MAP],  BOOL, typed(mapIncludes)),
  ], "returns true if a list contains the value, or a map the key", "1 in [1, 2] && 'a' in {'a': 1}"),
  fn("size", [
    global("size_bytes",  [BYTES],      INT, sizeOfBytes),
    method("bytes_size",  BYTES,    [], INT, sizeOfBytes),
    global("size_list",   [LIST],       INT, sizeOfList),
    method("list_size",   LIST,     [], INT, sizeOfList),
    global("size_map",    [MAP],        INT, sizeOfMap),
    method("map_size",    MAP,      [], INT, sizeOfMap),
    global("size_string", [STRING],     INT, sizeOfString),
    method("string_size", STRING,   [], INT, sizeOfString),
  ], "returns the number of elements, entries, bytes or code points", "size('abc') == 3 && [1, 2].size() == 2"),
];
