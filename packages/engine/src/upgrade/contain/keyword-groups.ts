/** Groups of schema keywords, by how changes of them are decided. */
import { VALUE_KEYWORDS } from "../prove/keyword-formula.ts";

export const RULES = "x-kubernetes-validations";

/** Keywords that refuse values; without them all values pass. */
export const REMOVABLE: readonly string[] = [
  ...VALUE_KEYWORDS,
  RULES,
  "x-kubernetes-list-type",
  "x-kubernetes-list-map-keys",
  "x-kubernetes-embedded-resource",
  "x-kubernetes-property-names",
  "minProperties",
  "maxProperties",
];

export const UNNAMED: readonly string[] = ["x-kubernetes-property-names", "x-kubernetes-embedded-resource", "default"];

/** The values of keys are compared separately. */
export const KEYS = "additionalProperties";

/** `dataChanges` reports changes of data and ownership. */
export const DATA_KEYWORDS: readonly string[] = [
  "default",
  "nullable",
  "x-kubernetes-preserve-unknown-fields",
  "x-kubernetes-map-type",
];

/** Keywords that another one's verdict covers. */
export const COVERED_BY: Readonly<Record<string, readonly string[]>> = {
  minimum: ["exclusiveMinimum"],
  exclusiveMinimum: ["minimum"],
  maximum: ["exclusiveMaximum"],
  exclusiveMaximum: ["maximum"],
  type: ["x-kubernetes-int-or-string", "nullable"],
  "x-kubernetes-list-type": ["x-kubernetes-list-map-keys"],
};
