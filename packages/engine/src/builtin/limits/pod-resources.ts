/** The resources that containers and pods request, and their limits. Follows component-helpers resource/helpers.go. */

import { isObject, type JsonObject, sortedKeys } from "../../value/json.ts";
import { addQuantities, compareQuantities, parseQuantity, type Quantity } from "../../value/quantity.ts";
import { since } from "../../value/server-version.ts";
import { objectOf, objectsOf, textOf } from "../object.ts";

export type Amounts = ReadonlyMap<string, Quantity>;

export interface Resources {
  readonly requests: Amounts;
  readonly limits: Amounts;
}

export function amountsOf(list: JsonObject[string] | undefined): Map<string, Quantity> {
  const amounts = new Map<string, Quantity>();
  if (!isObject(list)) return amounts;
  for (const name of sortedKeys(list)) {
    const text = list[name];
    const amount = typeof text === "string" ? parseQuantity(text).value : undefined;
    if (amount !== undefined) amounts.set(name, amount);
  }
  return amounts;
}

export function resourcesOf(holder: JsonObject): Resources {
  const resources = objectOf(holder, "resources");
  return { requests: amountsOf(resources?.["requests"]), limits: amountsOf(resources?.["limits"]) };
}

const POD_LEVEL: ReadonlySet<string> = new Set(["cpu", "memory"]);

/** Whether pods themselves may ask for it. */
export function isPodLevel(name: string): boolean {
  return POD_LEVEL.has(name) || (name.startsWith("hugepages-") && since("1.33"));
}

/** Containers run together; init containers run before them one by one, except for sidecars, which keep running. */
export function podResources(spec: JsonObject): Resources {
  const own = objectOf(spec, "resources");
  const sum = (kind: "requests" | "limits"): Amounts => {
    const total = podTotal(spec, kind);
    for (const [name, amount] of amountsOf(own?.[kind])) if (isPodLevel(name)) total.set(name, amount);
    return total;
  };
  return { requests: sum("requests"), limits: sum("limits") };
}

function podTotal(spec: JsonObject, kind: "requests" | "limits"): Map<string, Quantity> {
  const total = new Map<string, Quantity>();
  for (const container of objectsOf(spec, "containers")) addAmounts(total, resourcesOf(container)[kind]);
  const [running, most] = [new Map<string, Quantity>(), new Map<string, Quantity>()];
  for (const container of objectsOf(spec, "initContainers")) {
    const own = resourcesOf(container)[kind];
    if (textOf(container, "restartPolicy") === "Always") {
      addAmounts(total, own);
      addAmounts(running, own);
      raise(most, running);
    } else {
      const together = new Map(own);
      addAmounts(together, running);
      raise(most, together);
    }
  }
  raise(total, most);
  return total;
}

export function addAmounts(into: Map<string, Quantity>, amounts: Amounts): void {
  for (const [name, amount] of amounts) {
    const present = into.get(name);
    into.set(name, present === undefined ? amount : addQuantities(present, amount));
  }
}

function raise(into: Map<string, Quantity>, amounts: Amounts): void {
  for (const [name, amount] of amounts) {
    const present = into.get(name);
    if (present === undefined || compareQuantities(amount, present) > 0) into.set(name, amount);
  }
}
