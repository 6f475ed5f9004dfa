/**
 * Reads crdify's configuration as an upgrade policy: each of its checks maps to the corresponding findings.
 *
 * Checks about reading (an enum value added, a pattern removed) map to our findings about readers. They only count if
 * crdify's policy is `Disallow`.
 */
import { isArray, isObject, type JsonObject, type JsonValue } from "../../value/json.ts";
import {
  choice,
  DEFAULT_POLICY,
  type Parsed,
  type PolicyLevel,
  type PolicyRule,
  type UpgradePolicy,
} from "./policy.ts";

/** Our codes for each of crdify's validations. */
// biome-ignore format: a table
const CODES: Readonly<Record<string, readonly string[]>> = {
  scope:                ["scope-changed"],
  storedVersionRemoval: ["stored-version-removed"],
  existingFieldRemoval: ["field-removed"],
  type:                 ["type"],
  enum:                 ["enum"],
  minimum:              ["minimum", "exclusive-minimum"],
  minLength:            ["min-length"],
  minItems:             ["min-items"],
  minProperties:        ["min-properties"],
  maximum:              ["maximum", "exclusive-maximum"],
  maxLength:            ["max-length"],
  maxItems:             ["max-items"],
  maxProperties:        ["max-properties"],
  required:             ["required"],
  default:              ["default"],
  pattern:              ["pattern"],
  nullable:             ["nullable", "null-dropped"],
  description:          [],
  oneOf:                ["one-of"],
  anyOf:                ["any-of"],
  allOf:                ["all-of"],
  format:               ["format"],
  not:                  ["not"],
};

/** Options that forbid changes that only readers notice, by validation. */
const READER_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  enum: ["additionPolicy"],
  pattern: ["removalPolicy"],
  nullable: ["additionPolicy", "removalPolicy"],
};

const ENFORCEMENTS = ["Error", "Warn", "None"] as const;
const LEVEL_OF: Readonly<Record<(typeof ENFORCEMENTS)[number], PolicyLevel>> = {
  Error: "error",
  Warn: "warning",
  None: "off",
};

/** crdify's file has neither apiVersion nor kind. */
export function isCrdifyConfig(json: JsonObject): boolean {
  if (json["apiVersion"] !== undefined) return false;
  return ["conversion", "unhandledEnforcement", "validations"].some((key) => json[key] !== undefined);
}

export interface CrdifyPolicy extends UpgradePolicy {
  /** `conversion: Ignore`: served versions are not compared if a webhook converts them. */
  readonly ignoresConversion: boolean;
}

export function parseCrdifyConfig(json: JsonObject): Parsed<CrdifyPolicy> {
  const stray = Object.keys(json).find((key) => !["conversion", "unhandledEnforcement", "validations"].includes(key));
  if (stray !== undefined) return { error: `unknown field \`${stray}\`` };
  const conversion = choice(json["conversion"] ?? "None", ["None", "Ignore"] as const);
  if (conversion === undefined) return { error: "`conversion` must be None or Ignore" };
  const unhandled = choice(json["unhandledEnforcement"] ?? "Error", ENFORCEMENTS);
  if (unhandled === undefined) return { error: `\`unhandledEnforcement\` must be one of ${ENFORCEMENTS.join(", ")}` };
  const rules = parseValidations(json["validations"]);
  if (rules.error !== undefined) return rules;
  return {
    value: {
      ...DEFAULT_POLICY,
      unknown: LEVEL_OF[unhandled],
      rules: rules.value,
      ignoresConversion: conversion === "Ignore",
    },
  };
}

function parseValidations(json: JsonValue | undefined): Parsed<PolicyRule[]> {
  if (json === undefined) return { value: [] };
  if (!isArray(json)) return { error: "`validations` must be a list" };
  const rules: PolicyRule[] = [];
  for (const [index, each] of json.entries()) {
    const name = isObject(each) ? each["name"] : undefined;
    if (!isObject(each) || typeof name !== "string") return { error: `\`validations[${index}].name\` is missing` };
    const codes = Object.hasOwn(CODES, name) ? CODES[name] : undefined;
    if (codes === undefined)
      return { error: `unknown validation \`${name}\`; one of ${Object.keys(CODES).join(", ")}` };
    const enforcement = choice(each["enforcement"], ENFORCEMENTS);
    if (enforcement === undefined)
      return { error: `\`validations[${index}].enforcement\` must be one of ${ENFORCEMENTS.join(", ")}` };
    const options = readerOptions(name, each["configuration"], index);
    if (options.error !== undefined) return options;
    for (const code of codes) rules.push({ code: `upgrade/${code}`, level: LEVEL_OF[enforcement] });
    if (options.value) rules.push({ code: "upgrade/reader", level: LEVEL_OF[enforcement], keywords: [name] });
  }
  return { value: rules };
}

/** Whether changes that only readers notice count too. */
function readerOptions(name: string, json: JsonValue | undefined, index: number): Parsed<boolean> {
  const known = READER_OPTIONS[name] ?? [];
  if (json !== undefined && json !== null && !isObject(json))
    return { error: `\`validations[${index}].configuration\` must be an object` };
  const configuration: JsonObject = isObject(json) ? json : {};
  const stray = Object.keys(configuration).find((key) => !known.includes(key));
  if (stray !== undefined) return { error: `unknown field \`validations[${index}].configuration.${stray}\`` };
  const policies = known.map((key) => choice(configuration[key] ?? "Disallow", ["Allow", "Disallow"] as const));
  if (policies.includes(undefined)) return { error: `policies of \`${name}\` must be Allow or Disallow` };
  return { value: policies.includes("Disallow") };
}
