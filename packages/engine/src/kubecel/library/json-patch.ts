/** `jsonpatch.escapeKey`, for expressions that make JSON patches. Follows apiserver pkg/cel/library/jsonpatch.go. */
import { fn, global, type Library, noSuchOverload, STRING, type Value } from "@portcullis/cel";

export const jsonPatchLibrary: Library = {
  name: "kubernetes.jsonpatch",
  functions: [fn("jsonpatch.escapeKey", [global("string_jsonpatch_escapeKey_string", [STRING], STRING, escapeKey)])],
};

function escapeKey(key: Value = null): Value {
  if (typeof key !== "string") return noSuchOverload();
  return key.replace(/[/~]/g, (char) => (char === "/" ? "~1" : "~0"));
}
