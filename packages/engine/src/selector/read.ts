/** Label selectors as objects hold them: `matchLabels` and `matchExpressions`. */
import type { JsonObject } from "../value/json.ts";
import { labelsOf, objectsOf, textOf, textsOf } from "../value/read.ts";
import type { StructuredSelector } from "./labels.ts";

export function readSelector(json: JsonObject): StructuredSelector {
  return {
    matchLabels: labelsOf(json["matchLabels"]),
    matchExpressions: objectsOf(json["matchExpressions"]).map((each) => ({
      key: textOf(each["key"]),
      operator: textOf(each["operator"]),
      values: textsOf(each["values"]),
    })),
  };
}
