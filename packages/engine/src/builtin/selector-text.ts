/** A label selector as upstream prints it: requirements by key, values sorted. */
import type { JsonObject } from "../value/json.ts";
import { objectOf, objectsOf, textOf, textsOf } from "./object.ts";

export function formatSelector(selector: JsonObject): string {
  const labels = Object.entries(objectOf(selector, "matchLabels") ?? {});
  const requirements = [
    ...labels.map(([key, value]) => ({ key, text: `${key}=${String(value)}` })),
    ...objectsOf(selector, "matchExpressions").map((each) => ({
      key: textOf(each, "key"),
      text: expressionText(each),
    })),
  ];
  return requirements
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ text }) => text)
    .join(",");
}

function expressionText(expression: JsonObject): string {
  const [key, values] = [textOf(expression, "key"), textsOf(expression, "values").sort().join(",")];
  switch (expression["operator"]) {
    case "In":
      return `${key} in (${values})`;
    case "NotIn":
      return `${key} notin (${values})`;
    case "Exists":
      return key;
    default:
      return `!${key}`;
  }
}
