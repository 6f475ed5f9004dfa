import { builtinResources } from "@portcullis/engine/internal/builtin/builtin";
import { definitionShape } from "@portcullis/engine/internal/crd/shape";
import { parseSchema } from "@portcullis/engine/internal/schema/parse";
import { fromPlain } from "@portcullis/engine/internal/value/copy";
import { expect, test } from "vitest";
import { namesInSchema, namesInShape, unknownFieldHint } from "./field-names.ts";

const SCHEMA = namesInSchema(
  parseSchema(
    fromPlain({
      properties: {
        spec: {
          properties: {
            size: { type: "integer" },
            parts: { type: "array", items: { properties: { color: { type: "string" } } } },
            byName: { additionalProperties: { properties: { weight: { type: "integer" } } } },
            free: { "x-kubernetes-preserve-unknown-fields": true, properties: { known: {} } },
          },
        },
      },
    }),
  ),
);
const DEPLOYMENT = namesInShape(
  builtinResources().find(({ group, kind }) => group === "apps" && kind === "Deployment")?.shape ?? definitionShape,
);

// biome-ignore format: a table
test.each([
  ["spec.sizee", SCHEMA, "did you mean `size`?"],
  ["spec.parts[3].colour", SCHEMA, "did you mean `color`?"],
  ["spec.byName.a.wieght", SCHEMA, "did you mean `weight`?"],
  ["metadata.label", SCHEMA, "did you mean `labels`?"],
  ["metdata", SCHEMA, "did you mean `metadata`?"],
  ["spec.parts[0].size", SCHEMA, "`size` is a field of `spec`: fix the indentation"],
  ["spec.spec", SCHEMA, "`spec` is a field of the object itself: fix the indentation"],
  ["spec.somethingElse", SCHEMA, undefined],
  ["spec.free.knwon", SCHEMA, undefined],
  ["", SCHEMA, undefined],
  ["spec.replica", DEPLOYMENT, "did you mean `replicas`?"],
  ["spec.template.spec.containers[0].imagePullPolcy", DEPLOYMENT, "did you mean `imagePullPolicy`?"],
  ["spec.template.spec.containers[0].volumes", DEPLOYMENT, "`volumes` is a field of `spec.template.spec`: fix the indentation"],
  ["spec.versions[0].schema.openAPIV3Schema.propertys", namesInShape(definitionShape), "did you mean `properties`?"],
] as const)("%s: %3$s", (path, namesAt, hint) => {
  expect(unknownFieldHint(path, { namesAt })).toBe(hint);
});
