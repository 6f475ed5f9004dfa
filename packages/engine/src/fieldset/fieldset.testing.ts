/** Random path elements and sets for property tests. */
import fc from "fast-check";
import { floatValue } from "../value/json.ts";
import { fieldElement, indexElement, keyElement, type PathElement, valueElement } from "./element.ts";
import type { Path } from "./path.ts";
import { type FieldSet, setOf } from "./set.ts";

// Few names, so that paths share prefixes.
const name = fc.oneof(fc.constantFrom("a", "b", "c"), fc.string({ unit: "grapheme" }));
const scalar = fc.oneof(
  name,
  fc.boolean(),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map(floatValue),
);

const element: fc.Arbitrary<PathElement> = fc.oneof(
  { weight: 4, arbitrary: name.map(fieldElement) },
  fc
    .uniqueArray(fc.tuple(name, scalar), { minLength: 1, maxLength: 2, selector: ([key]) => key })
    .map((fields) => keyElement(fields.map(([key, value]) => ({ name: key, value })))),
  scalar.map(valueElement),
  fc.nat(5).map(indexElement),
);

export const path: fc.Arbitrary<Path> = fc.array(element, { minLength: 1, maxLength: 4 });

export const fieldSet: fc.Arbitrary<FieldSet> = fc.array(path, { maxLength: 12 }).map((paths) => setOf(...paths));
