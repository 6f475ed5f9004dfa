/** Names and amounts of resources. Follows pkg/apis/core/helper and core/validation. */
import { type FieldError, invalid, notSupported } from "../../field/error.ts";
import { checkQualifiedName } from "../../field/names.ts";
import type { FieldPath } from "../../field/path.ts";
import type { JsonObject } from "../../value/json.ts";
import { asInteger, formatQuantity, parseQuantity, type Quantity, signOf } from "../../value/quantity.ts";
import { textOf } from "../object.ts";
import { quantityValue, unquoted } from "./go-values.ts";
import * as messages from "./messages.ts";

/** Undefined if the member is absent; what was decoded is a quantity. */
export function quantityOf(list: JsonObject | undefined, name: string): Quantity | undefined {
  const text = list?.[name];
  return typeof text === "string" ? parseQuantity(text).value : undefined;
}

export function nonNegativeQuantity(quantity: Quantity, path: FieldPath): FieldError[] {
  return signOf(quantity) < 0 ? [invalid(path, formatQuantity(quantity), messages.notNegative(), "minimum")] : [];
}

export function positiveQuantity(quantity: Quantity, path: FieldPath): FieldError[] {
  return signOf(quantity) <= 0 ? [invalid(path, formatQuantity(quantity), messages.aboveZero())] : [];
}

/** An amount of a resource: never negative, and whole where its resource comes in pieces. */
export function resourceAmount(name: string, quantity: Quantity, path: FieldPath): FieldError[] {
  const errors = nonNegativeQuantity(quantity, path);
  if (!isCounted(name) || milliValue(quantity) % 1000n === 0n) return errors;
  return [...errors, invalid(path, quantityValue(formatQuantity(quantity)), messages.mustBeInteger())];
}

/** In thousandths, rounded up. */
export function milliValue({ unscaled, exponent }: Quantity): bigint {
  return roundUp(unscaled, exponent + 3);
}

/** Rounded up to a whole number. */
export function wholeValue({ unscaled, exponent }: Quantity): bigint {
  return roundUp(unscaled, exponent);
}

function roundUp(unscaled: bigint, exponent: number): bigint {
  if (exponent >= 0) return unscaled * 10n ** BigInt(exponent);
  const divisor = 10n ** BigInt(-exponent);
  return unscaled / divisor + (unscaled % divisor > 0n ? 1n : 0n);
}

const HUGE_PAGES = "hugepages-";

export function isHugePages(name: string): boolean {
  return name.startsWith(HUGE_PAGES);
}

/** Whether the amount is a multiple of the page size in the name. */
export function isWholePages(name: string, quantity: Quantity): boolean {
  const size = parseQuantity(name.slice(HUGE_PAGES.length)).value;
  const whole = size === undefined ? undefined : asInteger(size);
  return whole !== undefined && whole > 0n && wholeValue(quantity) % whole === 0n;
}

const COUNTED = new Set([
  ...["pods", "resourcequotas", "services", "replicationcontrollers", "secrets", "configmaps"],
  ...["persistentvolumeclaims", "services.nodeports", "services.loadbalancers"],
]);

function isCounted(name: string): boolean {
  return COUNTED.has(name) || isExtended(name);
}

function isNative(name: string): boolean {
  return !name.includes("/") || name.includes("kubernetes.io/");
}

/** Resources that others define. */
export function isExtended(name: string): boolean {
  return !isNative(name) && !name.startsWith("requests.") && checkQualifiedName(`requests.${name}`).length === 0;
}

export function isOvercommitAllowed(name: string): boolean {
  return isNative(name) && !isHugePages(name);
}

const CONTAINER = new Set(["cpu", "memory", "ephemeral-storage"]);

const STANDARD = new Set([
  ...CONTAINER,
  ...["requests.cpu", "requests.memory", "requests.ephemeral-storage"],
  ...["limits.cpu", "limits.memory", "limits.ephemeral-storage"],
  ...COUNTED,
  ...["storage", "requests.storage"],
]);

function isPagesOfQuota(name: string): boolean {
  return isHugePages(name) || name.startsWith("requests.hugepages-");
}

export function isStandardForQuota(name: string): boolean {
  return (name !== "storage" && STANDARD.has(name)) || isPagesOfQuota(name);
}

export function resourceName(name: string, path: FieldPath): FieldError[] {
  const errors = checkQualifiedName(name).map((problem) => invalid(path, unquoted(name), problem));
  if (errors.length > 0 || name.includes("/") || STANDARD.has(name) || isPagesOfQuota(name)) return errors;
  return [invalid(path, unquoted(name), messages.notAStandardResource())];
}

export function containerResourceName(name: string, path: FieldPath): FieldError[] {
  const errors = resourceName(name, path);
  if (!name.includes("/")) {
    const isKnown = CONTAINER.has(name) || isHugePages(name);
    return isKnown ? errors : [...errors, invalid(path, unquoted(name), messages.notAContainerResource())];
  }
  return isNative(name) || isExtended(name)
    ? errors
    : [...errors, invalid(path, unquoted(name), messages.notExtended())];
}

export function quotaResourceName(name: string, path: FieldPath): FieldError[] {
  const errors = resourceName(name, path);
  if (name.includes("/") || isStandardForQuota(name)) return errors;
  return [...errors, invalid(path, unquoted(name), messages.notAQuotaResource())];
}

const POD_LEVEL = ["cpu", HUGE_PAGES, "memory"];

export function podResourceName(name: string, path: FieldPath): FieldError[] {
  const errors = resourceName(name, path);
  if (errors.length > 0 || name === "cpu" || name === "memory" || isHugePages(name)) return errors;
  return [notSupported(path, name, POD_LEVEL)];
}

/** The amounts of a list, by name in sorted order; upstream's order is chance. */
export function amountsOf(list: JsonObject | undefined): [name: string, quantity: Quantity][] {
  if (list === undefined) return [];
  return Object.keys(list)
    .sort()
    .flatMap((name): [string, Quantity][] => {
      const quantity = parseQuantity(textOf(list, name)).value;
      return quantity === undefined ? [] : [[name, quantity]];
    });
}
