/**
 * Whether a device is selected by an expression. Follows DeviceMatches of k8s.io/dynamic-resource-allocation, package cel.
 *
 * Attributes without a domain belong to the driver's. A domain without any attribute is an empty map, so that a lookup in
 * it fails with the name of the attribute.
 */
import { EntryMap, isError, MapValue, type Value } from "@portcullis/cel/internal";
import { QuantityValue } from "../../../kubecel/library/quantity-value.ts";
import { SemverValue } from "../../../kubecel/library/semver.ts";
import { parseSemver } from "../../../kubecel/library/semver-text.ts";
import { isInteger, isNumber, isObject, type JsonObject, type JsonValue } from "../../../value/json.ts";
import { formatNumber } from "../../../value/number.ts";
import { parseQuantity } from "../../../value/quantity.ts";
import { objectOf, textOf } from "../../../value/read.ts";
import { deviceEnvironment } from "./device-cel.ts";
import * as messages from "./messages.ts";

const COST_LIMIT = 1_000_000;

export type DeviceMatch =
  | { readonly matches: boolean; readonly cost: number; readonly error?: undefined }
  | { readonly error: string; readonly cost: number };

/** The device as in a ResourceSlice: `attributes`, `capacity` and `allowMultipleAllocations`. */
export function matchDevice(expression: string, driver: string, device: JsonObject): DeviceMatch {
  const environment = deviceEnvironment("stored");
  const compiled = environment.compile(expression);
  if (!compiled.ok) return { error: messages.notCompiled(compiled.text), cost: 0 };
  const planned = environment.program(compiled.ast, { costLimit: COST_LIMIT });
  if (!planned.ok) return { error: messages.noProgram(planned.error.message), cost: 0 };
  const value = deviceValue(driver, device);
  if (typeof value === "string") return { error: value, cost: 0 };
  const result = planned.program.evaluate({ device: value });
  const { cost } = result;
  if (isError(result.value)) return { error: result.value.message, cost };
  return typeof result.value === "boolean" ? { matches: result.value, cost } : { error: messages.notBoolean(), cost };
}

/** A string says which attribute cannot be read. */
function deviceValue(driver: string, device: JsonObject): Value | string {
  const attributes = byDomain(device["attributes"], driver, attributeValue);
  const capacity = byDomain(device["capacity"], driver, capacityValue);
  if (typeof attributes === "string") return attributes;
  if (typeof capacity === "string") return capacity;
  return EntryMap.of([
    ["driver", driver],
    ["allowMultipleAllocations", device["allowMultipleAllocations"] === true],
    ["attributes", attributes],
    ["capacity", capacity],
  ]);
}

type ReadValue = (value: JsonObject) => Value | undefined;

function byDomain(json: JsonValue | undefined, driver: string, read: ReadValue): MapValue | string {
  const domains = new Map<string, EntryMap>();
  for (const [name, member] of Object.entries(objectOf(json))) {
    const value = isObject(member) ? read(member) : undefined;
    if (value === undefined) return messages.badAttribute(name);
    const slash = name.indexOf("/");
    const [domain, id] = slash < 0 ? [driver, name] : [name.slice(0, slash), name.slice(slash + 1)];
    const known = domains.get(domain) ?? new EntryMap();
    known.set(id, value);
    domains.set(domain, known);
  }
  return new DomainMap(domains);
}

const NOTHING = new EntryMap();

/** Every domain is there. */
class DomainMap extends MapValue {
  readonly #domains: ReadonlyMap<string, EntryMap>;

  constructor(domains: ReadonlyMap<string, EntryMap>) {
    super();
    this.#domains = domains;
  }

  get size(): number {
    return this.#domains.size;
  }

  keys(): readonly Value[] {
    return [...this.#domains.keys()];
  }

  get(key: Value): Value | undefined {
    return typeof key === "string" ? (this.#domains.get(key) ?? NOTHING) : undefined;
  }
}

function attributeValue(attribute: JsonObject): Value | undefined {
  const { int, bool, string, version } = attribute;
  if (isInteger(int)) return int;
  if (typeof bool === "boolean") return bool;
  if (typeof string === "string") return string;
  if (typeof version !== "string") return undefined;
  const parsed = parseSemver(version);
  return parsed.error === undefined ? new SemverValue(parsed.value) : undefined;
}

function capacityValue({ value }: JsonObject): Value | undefined {
  const parsed = parseQuantity(isNumber(value) ? formatNumber(value) : textOf(value));
  return parsed.error === undefined ? new QuantityValue(parsed.value) : undefined;
}
