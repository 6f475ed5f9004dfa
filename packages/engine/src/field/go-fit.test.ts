import fc from "fast-check";
import { expect, test } from "vitest";
import { fromPlain } from "../value/copy.ts";
import { isObject } from "../value/json.ts";
import { decodeGo } from "./go-decode.ts";
import { fitGo } from "./go-fit.ts";
import {
  alwaysField,
  field,
  type GoShape,
  goBool,
  goBytes,
  goFloat64,
  goInt32,
  goInt64,
  goList,
  goMap,
  goRaw,
  goString,
  goStruct,
  goTime,
  pointerField,
} from "./go-shape.ts";

const even: GoShape = {
  kind: "custom",
  go: "v1.Even",
  decode: (value) => {
    const isEven = value === null || (typeof value === "number" && value % 2 === 0);
    return { value: isEven ? (value ?? 0) : null, unknown: [], error: isEven ? undefined : "odd" };
  },
  zero: 0,
};

const SHAPES: readonly GoShape[] = [
  ...[goString, goBool, goInt32, goInt64, goFloat64, goTime, goBytes, goRaw, even],
  ...[goList(goString), goList(goTime), goMap(goInt32), goList(even)],
];
const inner = goStruct("v1.Inner", () => fieldsOf([...SHAPES, goList(goList(goBool)), goMap(goRaw)]));
const outer = goStruct("v1.Outer", () => fieldsOf([...SHAPES, inner, goList(inner), goMap(inner)]));

/** Each shape as a field that may be left out, as one that is always written, and behind a pointer. */
function fieldsOf(shapes: readonly GoShape[]) {
  return Object.fromEntries(
    shapes.flatMap((shape, index) => [
      [`f${index}`, field(shape)],
      [`a${index}`, alwaysField(shape)],
      [`p${index}`, pointerField(shape)],
    ]),
  );
}

const scalar = fc.oneof(
  ...["", "x", "2026-01-02T03:04:05Z", "0001-01-01T00:00:00Z", "AAEC"].map((text) => fc.constant(text)),
  fc.constantFrom(null, true, false, 0, 1, 2, -4, 2 ** 31, 2 ** 40, 0.5),
);

/** Values that fit mostly, as random ones are nearly always refused. */
function anyValue(shape: GoShape): fc.Arbitrary<unknown> {
  const fitting = { arbitrary: fittingValue(shape), weight: 60 };
  return fc.oneof(
    { maxDepth: 3 },
    fitting,
    { arbitrary: fc.constant(null), weight: 1 },
    { arbitrary: scalar, weight: 1 },
  );
}

function fittingValue(shape: GoShape): fc.Arbitrary<unknown> {
  switch (shape.kind) {
    case "string":
      return fc.constantFrom("", "x");
    case "bool":
      return fc.boolean();
    case "int":
    case "custom":
      return fc.constantFrom(0, 2, 4);
    case "float":
      return fc.constantFrom(0, 1, 0.5);
    case "time":
      return fc.constantFrom("2026-01-02T03:04:05Z", "2026-01-02T03:04:05.678+02:00", "0001-01-01T00:00:00Z");
    case "bytes":
      return fc.constantFrom("", "AAEC");
    case "raw":
      return fc.constantFrom(null, {}, { a: [1, 0.5] }, "x", 0);
    case "list":
      return fc.array(anyValue(shape.of), { maxLength: 3 });
    case "map":
      return fc.dictionary(fc.constantFrom("k", "__proto__", "constructor"), anyValue(shape.of), { maxKeys: 2 });
    case "struct":
      return structValue(shape);
  }
}

function structValue(struct: typeof outer): fc.Arbitrary<unknown> {
  const names = [...struct.fields().keys()];
  return fc
    .uniqueArray(fc.constantFrom(...names), { maxLength: 6 })
    .chain((chosen) =>
      fc
        .tuple(...chosen.map((name) => anyValue(struct.fields().get(name)?.shape ?? goRaw)))
        .map((values) => Object.fromEntries(chosen.map((name, index) => [name, values[index]]))),
    )
    .chain((object) => fc.constantFrom(object, object, object, object, { ...object, unknown: 1 }));
}

test("a fitting value equals the decoded one, and all others are left to the decoder", () => {
  let [fitting, unfit] = [0, 0];
  fc.assert(
    fc.property(structValue(outer), (plain) => {
      const value = fromPlain(plain);
      if (!isObject(value)) throw new Error("not an object");
      const { value: decoded, error, unknown } = decodeGo(value, outer, { keepEmpty: true });
      const isFit = error === undefined && unknown.length === 0;
      expect(fitGo(value, outer)).toEqual(isFit ? decoded : undefined);
      if (isFit) fitting++;
      else unfit++;
    }),
    { numRuns: 3000 },
  );
  expect(Math.min(fitting, unfit)).toBeGreaterThan(100);
});
