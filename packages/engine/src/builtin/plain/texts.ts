/** Plain checks of names, keys and amounts. */
import type { JsonValue } from "../../value/json.ts";
import { type Check, either, integer, text } from "./check.ts";

const LABEL = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/;
const SUBDOMAIN = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;
const NAME = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$/;
const CONFIG_KEY = /^[A-Za-z0-9][-._A-Za-z0-9]*$/;
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;
const PORT_NAME = /^[a-z](?:[a-z0-9]|-(?=[a-z0-9]))*$/;
const SERVICE_NAME = /^[a-z](?:[-a-z0-9]*[a-z0-9])?$/;

export function isLabel(name: string): boolean {
  return name.length <= 63 && LABEL.test(name);
}

/** Controllers add suffixes to the names of some kinds. */
export const isShortLabel: Check = text((name) => name.length <= 50 && LABEL.test(name));

export function isSubdomain(name: string): boolean {
  return name.length <= 253 && SUBDOMAIN.test(name);
}

/** The name of another object. */
export const isObjectName: Check = text(isSubdomain);

export const isServiceName: Check = text((name) => name.length <= 63 && SERVICE_NAME.test(name));

export function isLabelValue(value: string): boolean {
  return value === "" || (value.length <= 63 && NAME.test(value));
}

/** The key of a label or an annotation. */
export function isQualifiedName(key: string): boolean {
  const slash = key.indexOf("/");
  if (slash === -1) return key.length <= 63 && NAME.test(key);
  const name = key.slice(slash + 1);
  return isSubdomain(key.slice(0, slash)) && name.length <= 63 && NAME.test(name);
}

/** Kubernetes gives keys of its own domains a meaning. */
export function isOwnKey(key: string): boolean {
  return !key.includes("kubernetes.io") && !key.includes("k8s.io") && isQualifiedName(key);
}

export function isConfigKey(key: string): boolean {
  return key.length <= 253 && CONFIG_KEY.test(key);
}

export const isVariable: Check = text((name) => VARIABLE.test(name));

export const isPortName: Check = text((name) => name.length <= 15 && PORT_NAME.test(name));

export const isPortNumber = integer(1, 65_535);

export const isPort: Check = either(isPortNumber, isPortName);

const PERCENT = /^(?:[1-9][0-9]?|100)%$/;

/** An amount of pods that is not zero, neither as a number nor as a share. */
export const isAmountOfPods: Check = either(
  integer(1),
  text((amount) => PERCENT.test(amount)),
);

/** Whole cores or thousandths of them. */
export function millicores(value: JsonValue | undefined): number | undefined {
  if (typeof value === "number") return isSmall(value) ? value * 1000 : undefined;
  const match = typeof value === "string" ? /^([1-9][0-9]{0,5})(m?)$/.exec(value) : null;
  if (match === null) return undefined;
  return Number(match[1]) * (match[2] === "m" ? 1 : 1000);
}

const BYTES: Readonly<Record<string, number>> = {
  "": 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
};

/** Whole bytes; with so few digits, all of these numbers are exact. */
export function bytes(value: JsonValue | undefined): number | undefined {
  if (typeof value === "number") return isSmall(value) ? value : undefined;
  const match = typeof value === "string" ? /^([1-9][0-9]{0,5})(k|[MG]|[KMGT]i)?$/.exec(value) : null;
  return match === null ? undefined : Number(match[1]) * (BYTES[match[2] ?? ""] as number);
}

function isSmall(value: number): boolean {
  return Number.isInteger(value) && value >= 1 && value <= 999_999;
}

export const isBytes: Check = (value) => bytes(value) !== undefined;
