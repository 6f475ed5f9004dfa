/** `jsonpatch.escapeKey`, for expressions that make JSON patches. Follows apiserver pkg/cel/library/jsonpatch.go. */
import { noSuchOverload, STRING, type Value } from "@portcullis/cel/internal";
import { CONVERTS_ARGUMENT } from "./cost.ts";
import { defineLibrary } from "./define.ts";

export const jsonPatchLibrary = defineLibrary({
  name: "kubernetes.jsonpatch",
  functions: [
    {
      name: "jsonpatch.escapeKey",
      id: "string_jsonpatch_escapeKey_string",
      params: [STRING],
      result: STRING,
      cost: CONVERTS_ARGUMENT,
      call: escapeKey,
      doc: "escapes `~` and `/` so that the string can be one segment of a JSON patch path",
      example: "jsonpatch.escapeKey('example.com/a~b') == 'example.com~1a~0b'",
    },
  ],
});

function escapeKey(key: Value = null): Value {
  if (typeof key !== "string") return noSuchOverload();
  return key.replace(/[/~]/g, (char) => (char === "/" ? "~1" : "~0"));
}
