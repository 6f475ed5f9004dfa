/**
 * One schema of a definition, with everything that is asked of it.
 *
 * Errors that make a schema non-structural hide those of its defaults, and both hide those of its rules. A schema that
 * cannot even be read as structural says so only if nothing else was wrong. Follows
 * validateCustomResourceDefinitionValidation of apiextensions.
 */

import { type FieldError, forbidden, invalid } from "../../field/error.ts";
import type { FieldPath } from "../../field/path.ts";
import type { KubernetesVersion } from "../../kubecel/versions.ts";
import type { CompiledRule } from "../../rules/compile.ts";
import type { RuleCache } from "../../rules/rule-cache.ts";
import type { RuleTimes } from "../../rules/times.ts";
import type { Structural } from "../../schema/structural.ts";
import type { JsonObject } from "../../value/json.ts";
import { TotalCost } from "../cost-total.ts";
import { goSchema, SCHEMA_FIELDS } from "../go-json.ts";
import type { Validation } from "../internal.ts";
import * as messages from "../messages.ts";
import type { Switches } from "./ratchet.ts";
import { type ObservedRule, rootContext } from "./rule-context.ts";
import { validateDefaults } from "./validate-defaults.ts";
import { validateSchema } from "./validate-schema.ts";
import { structuralProblem, validateStructural } from "./validate-structural.ts";

export interface ValidationSetting {
  readonly version: KubernetesVersion;
  readonly switches: Switches;
  readonly ratcheting: boolean;
  readonly hasStatus: boolean;
  readonly suppressRuleCost: boolean;
  readonly onRule?: ((observed: ObservedRule) => void) | undefined;
  readonly ruleCache?: RuleCache<CompiledRule> | undefined;
  readonly times?: RuleTimes | undefined;
}

export function validateValidation(
  { schema, json }: Validation,
  path: FieldPath,
  setting: ValidationSetting,
): FieldError[] {
  if (schema === undefined || json === undefined) return [];
  const at = path.child("openAPIV3Schema");
  const structural = checkStructural(schema, at, setting);
  const total = new TotalCost();
  const rules = structural.isClean ? rootContext(schema, { ...setting, ...setting.switches, total }) : undefined;
  const found = validateSchema(schema, json, at, { ...setting, rules });
  const errors = [...checkRoot(schema, json, path, setting), ...structural.errors, ...found.schema, ...found.rules];
  if (errors.length === 0 && structural.problem !== undefined) {
    errors.push(invalid(at, "", structural.problem, "structural"));
  }
  return [...errors, ...total.errors(at)];
}

function checkRoot(schema: Structural, json: JsonObject, path: FieldPath, setting: ValidationSetting): FieldError[] {
  const errors = setting.hasStatus ? checkStatusRoot(json, path) : [];
  // The path is one element, dot and all.
  const nullable = path.child("openAPIV3Schema.nullable");
  return schema.nullable ? [...errors, forbidden(nullable, messages.rootNotNullable(), "nullable")] : errors;
}

// biome-ignore format: a list
const ALLOWED_AT_STATUS_ROOT: readonly string[] = [
  "Description", "Type", "Format", "Title", "Maximum", "ExclusiveMaximum", "Minimum", "ExclusiveMinimum", "MaxLength",
  "MinLength", "Pattern", "MaxItems", "MinItems", "UniqueItems", "MultipleOf", "Required", "Items", "Properties",
  "ExternalDocs", "Example", "XPreserveUnknownFields", "XValidations",
];

/** The status is validated by its property alone, so the root may not say more. The first field that does is reported. */
function checkStatusRoot(json: JsonObject, path: FieldPath): FieldError[] {
  for (const { go, json: key } of SCHEMA_FIELDS) {
    const value = json[key];
    if (value === undefined) continue;
    if (go === "Type") {
      if (value === "object") continue;
      return [invalid(path.child("openAPIV3Schema.type"), value, messages.objectAtStatusRoot(), "status")];
    }
    if (ALLOWED_AT_STATUS_ROOT.includes(go)) continue;
    const detail = messages.notAtStatusRoot(ALLOWED_AT_STATUS_ROOT);
    return [invalid(path.child("openAPIV3Schema"), goSchema(json), detail, "status")];
  }
  return [];
}

interface StructuralVerdict {
  readonly errors: readonly FieldError[];
  /** Shown only if there is nothing else to show. */
  readonly problem: string | undefined;
  /** Whether rules may be compiled. */
  readonly isClean: boolean;
}

function checkStructural(schema: Structural, path: FieldPath, setting: ValidationSetting): StructuralVerdict {
  const { switches } = setting;
  if (!switches.requireStructural) return { errors: [], problem: undefined, isClean: false };
  const problem = structuralProblem(schema);
  if (problem !== undefined) return { errors: [], problem, isClean: false };
  const structural = validateStructural(schema, path);
  const errors =
    structural.length > 0
      ? structural
      : validateDefaults(schema, path, { ...setting, requirePruned: switches.requirePrunedDefaults });
  return { errors, problem: undefined, isClean: errors.length === 0 };
}
