/**
 * Validating a custom resource: metadata, values, scale, embedded resources, list types, then rules unless a finding
 * blocks them.
 *
 * Follows apiextensions pkg/registry/customresource. The result also says what ratcheting forgave and why the rest stayed,
 * which upstream keeps to itself.
 */
import { type FieldError, invalid } from "../../field/error.ts";
import { formatFieldError } from "../../field/format.ts";
import { checkDnsSubdomain, maskTrailingDash } from "../../field/names.ts";
import { newPath, nilPath } from "../../field/path.ts";
import { RUNTIME_COST_BUDGET } from "../../kubecel/limits.ts";
import { evaluateRules, type RuleResult } from "../../rules/evaluate.ts";
import { rulesNotChecked } from "../../rules/messages.ts";
import { type CompareTimer, Correlation } from "../../schema/correlate.ts";
import { validateEmbedded } from "../../schema/embedded.ts";
import { placeName } from "../../schema/finding.ts";
import { validateListTypes } from "../../schema/list-type.ts";
import { type MetaRules, validateMeta, validateMetaUpdate } from "../../schema/object-meta.ts";
import { EMPTY_SCHEMA, type Structural } from "../../schema/structural.ts";
import { hasKey, isObject, type JsonObject, type JsonValue, newObject } from "../../value/json.ts";
import { since } from "../../value/server-version.ts";
import type { CustomResource } from "./custom-resource.ts";
import { explainKept, explainRule } from "./explain.ts";
import * as messages from "./messages.ts";
import type { RatchetingReport } from "./ratcheting-report.ts";
import { validateScaleSpec, validateScaleStatus } from "./scale.ts";

export interface ValidationResult {
  readonly errors: readonly FieldError[];
  /** What the API server sends as `Warning` headers. */
  readonly warnings: readonly string[];
  readonly ratcheting: RatchetingReport | undefined;
  /** What the rules cost. */
  readonly ruleCost: number;
}

export function validateCreate(object: JsonObject, resource: CustomResource): ValidationResult {
  const errors = [
    ...unlessWrongType(object, resource, () => [
      ...validateMeta(metaOf(object), metaRules(resource), newPath("metadata")),
      ...(resource.validator?.validate(object) ?? []),
      ...validateScaleSpec(object, resource.scale),
      ...validateScaleStatus(object, resource.scale),
    ]),
    ...validateEmbedded(object, resource.schema, false),
    ...validateListTypes(resource.schema ?? EMPTY_SCHEMA, object),
  ];
  const rules = runRules(errors, object, undefined, undefined, resource);
  const { warnings, ruleCost } = rules;
  return { errors: [...errors, ...rules.errors], warnings, ratcheting: undefined, ruleCost };
}

export interface UpdateOptions {
  /** Measures the comparing, for the ratcheting histogram. */
  readonly timer?: CompareTimer | undefined;
}

export function validateUpdate(
  object: JsonObject,
  old: JsonObject,
  resource: CustomResource,
  { timer }: UpdateOptions = {},
): ValidationResult {
  const schema = resource.schema ?? EMPTY_SCHEMA;
  const correlation = resource.gates.CRDValidationRatcheting ? new Correlation(object, old, schema, timer) : undefined;
  let values = NO_FINDINGS;
  const errors = [
    ...unlessWrongType(object, resource, () => {
      values = validateValues(object, correlation, resource);
      return [
        ...validateMetaUpdate(metaOf(object), metaOf(old), newPath("metadata")),
        ...values.errors,
        ...validateScaleSpec(object, resource.scale),
        ...validateScaleStatus(object, resource.scale),
      ];
    }),
    ...validateEmbedded(object, resource.schema, false),
    ...changedListTypes(object, old, schema),
  ];
  return finishUpdate(values, runRules(errors, object, old, correlation, resource), errors, correlation !== undefined);
}

/** Only the status is validated by value; list types and rules see the whole object. Ratcheted since 1.33. */
export function validateStatusUpdate(
  object: JsonObject,
  old: JsonObject,
  resource: CustomResource,
  { timer }: UpdateOptions = {},
): ValidationResult {
  const schema = resource.schema ?? EMPTY_SCHEMA;
  const isRatcheted = resource.gates.CRDValidationRatcheting && since("1.33");
  const correlation = isRatcheted ? new Correlation(object, old, schema, timer) : undefined;
  let values = NO_FINDINGS;
  const errors = [
    ...unlessWrongType(object, resource, () => {
      values = validateStatusValues(object, old, correlation, resource);
      return [
        ...validateMetaUpdate(metaOf(object), metaOf(old), newPath("metadata")),
        ...values.errors,
        ...validateScaleStatus(object, resource.scale),
      ];
    }),
    ...changedListTypes(object, old, schema),
  ];
  return finishUpdate(values, runRules(errors, object, old, correlation, resource), errors, correlation !== undefined);
}

/** Where the old object breaks the promise of a list type anywhere, the new one may too. */
function changedListTypes(object: JsonObject, old: JsonObject, schema: Structural): readonly FieldError[] {
  const errors = validateListTypes(schema, object);
  return errors.length === 0 || validateListTypes(schema, old).length === 0 ? errors : [];
}

interface ValueFindings extends RatchetingReport {
  readonly errors: readonly FieldError[];
}

const NO_FINDINGS: ValueFindings = { errors: [], forgiven: [], kept: [] };

function validateValues(
  object: JsonObject,
  correlation: Correlation | undefined,
  resource: CustomResource,
): ValueFindings {
  if (resource.validator === undefined) return NO_FINDINGS;
  if (correlation === undefined) return { ...NO_FINDINGS, errors: resource.validator.validate(object) };
  return explainFindings(correlation, resource.validator.validateUpdate(correlation), "");
}

function validateStatusValues(
  object: JsonObject,
  old: JsonObject,
  correlation: Correlation | undefined,
  resource: CustomResource,
): ValueFindings {
  if (resource.statusValidator === undefined || !hasKey(object, "status")) return NO_FINDINGS;
  // With the gate off, upstream forgets the path.
  const root = resource.gates.CRDValidationRatcheting || since("1.33") ? newPath("status") : nilPath;
  const status = object["status"] as JsonValue;
  if (correlation === undefined) return { ...NO_FINDINGS, errors: resource.statusValidator.validate(status, root) };
  // Without a schema for the status, or an old status, there is nothing to compare with.
  const schema = resource.schema?.properties.get("status") ?? EMPTY_SCHEMA;
  const known = correlation.key("status") ?? new Correlation(status, old["status"] ?? null, schema);
  return explainFindings(known, resource.statusValidator.validateUpdate(known, root), "status");
}

function explainFindings(
  correlation: Correlation,
  found: ReturnType<NonNullable<CustomResource["validator"]>["validateUpdate"]>,
  prefix: string,
): ValueFindings {
  const join = (name: string): string => (prefix === "" || name === "" ? prefix + name : `${prefix}.${name}`);
  return {
    errors: found.kept.map(({ error }) => error),
    kept: found.kept.map(({ error, place }) => ({ error, reason: explainKept(correlation, place) })),
    forgiven: found.forgiven.map(({ error, unchanged }) => ({
      error,
      unchanged: join(placeName(unchanged)),
      warned: false,
    })),
  };
}

function finishUpdate(
  values: ValueFindings,
  rules: RuleFindings,
  errors: readonly FieldError[],
  isRatcheted: boolean,
): ValidationResult {
  const ratcheting = isRatcheted
    ? { forgiven: [...values.forgiven, ...rules.forgiven], kept: [...values.kept, ...rules.kept] }
    : undefined;
  return { errors: [...errors, ...rules.errors], warnings: rules.warnings, ratcheting, ruleCost: rules.ruleCost };
}

interface RuleFindings extends ValueFindings {
  readonly warnings: readonly string[];
  readonly ruleCost: number;
}

function runRules(
  before: readonly FieldError[],
  object: JsonObject,
  old: JsonObject | undefined,
  correlation: Correlation | undefined,
  resource: CustomResource,
): RuleFindings {
  if (resource.rules === undefined) return { ...NO_FINDINGS, warnings: [], ruleCost: 0 };
  if (before.some(isBlocking)) {
    const notChecked = invalid(nilPath, null, rulesNotChecked(), "rules");
    return { ...NO_FINDINGS, errors: [notChecked], warnings: [], ruleCost: 0 };
  }
  const request = { value: object, oldValue: old, correlation, budget: RUNTIME_COST_BUDGET, times: resource.times };
  return toRuleFindings(evaluateRules(resource.rules, request));
}

function toRuleFindings({ kept, forgiven, remaining }: RuleResult): RuleFindings {
  return {
    errors: kept.map(({ error }) => error),
    kept: kept.map(({ error, reason }) => ({ error, reason: explainRule(reason) })),
    forgiven: forgiven.map(({ error, unchanged }) => ({ error, unchanged, warned: true })),
    warnings: forgiven.map(({ error }) => formatFieldError(error)),
    ruleCost: RUNTIME_COST_BUDGET - remaining,
  };
}

const BLOCKING: ReadonlySet<string> = new Set([
  "FieldValueNotSupported",
  "FieldValueRequired",
  "FieldValueTooLong",
  "FieldValueTooMany",
  "FieldValueTypeInvalid",
]);

/** Rules may rely on the types and bounds of the schema, so they do not run when those are broken. */
function isBlocking(error: FieldError): boolean {
  return BLOCKING.has(error.type);
}

/** Another kind or version hides what is wrong by the schema, but not what list types and rules find. */
function unlessWrongType(
  object: JsonObject,
  resource: CustomResource,
  validate: () => readonly FieldError[],
): readonly FieldError[] {
  const typeErrors = validateTypeMeta(object, resource);
  return typeErrors.length > 0 ? typeErrors : validate();
}

function validateTypeMeta(object: JsonObject, resource: CustomResource): FieldError[] {
  const errors: FieldError[] = [];
  const apiVersion = `${resource.group}/${resource.version}`;
  if (text(object["kind"]) !== resource.kind) {
    errors.push(invalid(newPath("kind"), text(object["kind"]), messages.mustBe(resource.kind), "kind"));
  }
  if (text(object["apiVersion"]) !== apiVersion) {
    errors.push(invalid(newPath("apiVersion"), text(object["apiVersion"]), messages.mustBe(apiVersion), "apiVersion"));
  }
  return errors;
}

function metaRules(resource: CustomResource): MetaRules {
  return { namespaced: resource.namespaced, checkName: subdomainName };
}

/** A generateName is followed by random letters, so it may end with a dash. */
function subdomainName(name: string, isPrefix: boolean): string[] {
  return checkDnsSubdomain(isPrefix ? maskTrailingDash(name) : name);
}

function metaOf(object: JsonObject): JsonObject {
  return isObject(object["metadata"]) ? object["metadata"] : newObject();
}

function text(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}
