/** What the containers of a pod need together. Follows component-helpers/resource. */
import { type JsonObject, newObject } from "../value/json.ts";
import { addQuantities, compareQuantities, parseQuantity, type Quantity } from "../value/quantity.ts";
import { objectOf, objectsOf, textOf } from "./object.ts";

export type AmountKind = "requests" | "limits";

/** Amounts by resource, of a container or of a whole pod. */
export function amountsIn(holder: JsonObject, kind: AmountKind): JsonObject {
  return objectOf(objectOf(holder, "resources"), kind) ?? newObject();
}

/** All regular containers together, with sidecars; or the most that a container needs before they start. */
export function containerSum(spec: JsonObject, kind: AmountKind, name: string): Quantity | undefined {
  const amountOf = (container: JsonObject): Quantity | undefined =>
    parseQuantity(textOf(amountsIn(container, kind), name)).value;
  let running: Quantity | undefined;
  for (const container of objectsOf(spec, "containers")) running = plus(running, amountOf(container));
  let [sidecars, most]: [Quantity | undefined, Quantity | undefined] = [undefined, undefined];
  for (const container of objectsOf(spec, "initContainers")) {
    if (textOf(container, "restartPolicy") === "Always") {
      sidecars = plus(sidecars, amountOf(container));
      most = larger(most, sidecars);
    } else most = larger(most, plus(sidecars, amountOf(container)));
  }
  return larger(plus(running, sidecars), most);
}

function plus(left: Quantity | undefined, right: Quantity | undefined): Quantity | undefined {
  return left === undefined || right === undefined ? (left ?? right) : addQuantities(left, right);
}

export function larger(left: Quantity | undefined, right: Quantity | undefined): Quantity | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  return compareQuantities(left, right) >= 0 ? left : right;
}
