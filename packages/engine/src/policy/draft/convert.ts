/**
 * Policies as KEP-3488 first proposed them, turned into v1 policies and bindings.
 *
 * The early shape keeps match criteria and values in one configuration object and knows no bindings; v1 has a binding for
 * each. `config` becomes the variable `config` over the params; validations that ignore their failures move to a policy
 * of their own. Whatever v1 cannot say is reported, never dropped in silence. Objects of other kinds come back as they
 * are, the configurations among them: they are the params.
 */
import { isObject, type JsonObject, newObject } from "../../value/json.ts";
import { objectOf, objectsOf, textOf, textsOf } from "../../value/read.ts";
import { copyObject } from "../../value/rewrite.ts";
import { POLICY_GROUP } from "../objects/decode.ts";
import { type BindingPlan, configBindings, singletonBinding } from "./bindings.ts";
import { type Config, checkConfigReads, findConfig, isFlat } from "./config.ts";
import { ident, rewriteExpression, select } from "./expression.ts";
import type { DraftFinding, Report } from "./findings.ts";
import * as findings from "./findings.ts";
import { type ConvertedMatch, convertMatch } from "./match.ts";
import { normalizeBinding, normalizePolicy } from "./normalize.ts";
import { CONFIG_VARIABLE, type ConvertedValidation, convertValidation, type ValidationContext } from "./validations.ts";

export type { DraftFinding } from "./findings.ts";

/** What a conversion of early policies needs to know of the cluster. */
export interface DraftOptions {
  /** The paths of an OpenAPI type in the matched kinds, for expressions scoped to a type. */
  readonly placesOf?: (typeName: string, resources: readonly string[]) => readonly string[];
}

/** The converted objects, and what could not be kept. */
export interface DraftConversion {
  /** Each policy with its bindings in the order given, then everything else that was given. */
  readonly objects: readonly JsonObject[];
  readonly findings: readonly DraftFinding[];
}

/**
 * Turns policies of the early design of KEP-3488 into v1 policies and bindings.
 *
 * @example
 * ```ts
 * const { objects, findings } = convertDraftPolicy(manifests);
 * ```
 */
export function convertDraftPolicy(given: readonly JsonObject[], options: DraftOptions = {}): DraftConversion {
  const found: DraftFinding[] = [];
  const others = given.filter((object) => !isDraftPolicy(object));
  const names = new Set<string>();
  const made = given.filter(isDraftPolicy).flatMap((object) => {
    const name = freeName(textOf(objectOf(object["metadata"])["name"]), names);
    const report = reporter(`ValidatingAdmissionPolicy/${name.found}`, found);
    if (name.free !== name.found) report("warning", "metadata.name", findings.renamed(name.found, name.free));
    return convert({ object, name: name.free, others, options, report, found });
  });
  return { objects: [...made, ...others], findings: found };
}

const EARLY_FIELDS = ["config", "match", "policyType", "singletonPolicy", "defaultConfig"];
const EARLY_VALIDATION_FIELDS = ["rule", "failurePolicy", "scope", "severity", "code"];

/** Whether an object is a policy of the early shape. */
export function isDraftPolicy(object: JsonObject): boolean {
  if (object["kind"] !== "ValidatingAdmissionPolicy") return false;
  const spec = objectOf(object["spec"]);
  const has = (json: JsonObject, fields: readonly string[]): boolean =>
    fields.some((field) => json[field] !== undefined);
  return has(spec, EARLY_FIELDS) || objectsOf(spec["validations"]).some((each) => has(each, EARLY_VALIDATION_FIELDS));
}

function freeName(found: string, taken: Set<string>): { readonly found: string; readonly free: string } {
  let free = found;
  for (let count = 2; taken.has(free); count++) free = `${found}-${count}`;
  taken.add(free);
  return { found, free };
}

function reporter(object: string, found: DraftFinding[]): Report {
  return (level, path, message) => found.push({ level, object, path, message });
}

interface Job {
  readonly object: JsonObject;
  readonly name: string;
  readonly others: readonly JsonObject[];
  readonly options: DraftOptions;
  readonly report: Report;
  readonly found: DraftFinding[];
}

const KNOWN_SPEC = new Set([
  ...EARLY_FIELDS,
  ...["validations", "failurePolicy", "auditAnnotations", "matchConditions", "variables", "terms", "severity"],
]);

function convert(job: Job): JsonObject[] {
  const { object, name, report } = job;
  const spec = objectOf(object["spec"]);
  for (const key of Object.keys(spec))
    if (!KNOWN_SPEC.has(key)) report("error", `spec.${key}`, findings.unknownField(key));
  if (object["status"] !== undefined) report("warning", "status", findings.statusDropped());
  const match = convertPolicyMatch(spec, report);
  const configReads = new Set<string>();
  const context = validationContext(match, configReads, job);
  const validations = objectsOf(spec["validations"]).map((json, index) =>
    convertValidation(json, `spec.validations[${index}]`, context),
  );
  const config = findConfig(spec, configReads.size > 0, job);
  checkConfigReads(configReads, config, report);
  const bindings = planBindings(config, spec, job);
  return splitByFailure(validations, textOf(spec["failurePolicy"]) || "Fail").flatMap((part) => {
    const suffix = part.isApart ? ".ignore" : "";
    if (part.isApart) report("warning", "spec.validations", findings.failurePolicySplit(`${name}${suffix}`));
    const policy = makePolicy(part, `${name}${suffix}`, { spec, match, config }, job);
    const made = bindings.map((plan) => normalizeBinding(makeBinding(plan, suffix, `${name}${suffix}`), report));
    return [normalizePolicy(policy, report), ...made];
  });
}

function convertPolicyMatch(spec: JsonObject, report: Report): ConvertedMatch {
  if (isObject(spec["match"])) return convertMatch(spec["match"], "spec.match", report);
  report("warning", "spec.match", findings.noMatch());
  const everything = { apiGroups: ["*"], apiVersions: ["*"], operations: ["*"], resources: ["*/*"] };
  const resources = Object.assign(newObject(), { resourceRules: [Object.assign(newObject(), everything)] });
  return { resources, conditions: [] };
}

function validationContext(
  match: ConvertedMatch,
  configReads: Set<string>,
  { options, report }: Job,
): ValidationContext {
  const rules = objectsOf(match.resources["resourceRules"]);
  const resources = rules.flatMap((rule) => textsOf(rule["resources"]));
  const groups = new Set(rules.flatMap((rule) => textsOf(rule["apiGroups"])));
  const isSingleKind =
    groups.size === 1 && new Set(resources).size === 1 && !groups.has("*") && !/\*/.test(resources[0] ?? "*");
  const { placesOf } = options;
  return {
    isSingleKind,
    placesOf: placesOf && ((typeName) => placesOf(typeName, resources)),
    report,
    configReads,
  };
}

function planBindings(config: Config | undefined, spec: JsonObject, { name, report, found }: Job): BindingPlan[] {
  if (config === undefined) return [singletonBinding(name)];
  if (config.objects.length === 0) report("warning", "spec.config", findings.unusedConfigKind(config.kind));
  const defaultName = textOf(spec["defaultConfig"]);
  const configs = config.objects.map((json) => {
    const label = `${config.kind}/${textOf(objectOf(json["metadata"])["name"])}`;
    return { json, report: reporter(label, found) };
  });
  const hasDefault = configs.some(({ json }) => objectOf(json["metadata"])["name"] === defaultName);
  if (defaultName !== "" && !hasDefault) report("error", "spec.defaultConfig", findings.defaultMissing(defaultName));
  return configBindings(name, configs, defaultName);
}

/** Validations that share a failure policy, each with its place in the original. */
interface Part {
  readonly failurePolicy: string;
  readonly isApart: boolean;
  readonly validations: readonly { readonly index: number; readonly converted: ConvertedValidation }[];
}

function splitByFailure(validations: readonly (ConvertedValidation | undefined)[], failurePolicy: string): Part[] {
  const kept = validations.flatMap((converted, index) => (converted === undefined ? [] : [{ index, converted }]));
  const own = kept.filter(({ converted }) => (converted.failurePolicy ?? failurePolicy) === failurePolicy);
  const apart = kept.filter((each) => !own.includes(each));
  const other = failurePolicy === "Fail" ? "Ignore" : "Fail";
  return [
    ...(own.length > 0 || apart.length === 0 ? [{ failurePolicy, isApart: false, validations: own }] : []),
    ...(apart.length > 0 ? [{ failurePolicy: other, isApart: own.length > 0, validations: apart }] : []),
  ];
}

interface PolicyParts {
  readonly spec: JsonObject;
  readonly match: ConvertedMatch;
  readonly config: Config | undefined;
}

const ANNOTATION_PREFIX = "policy.portcullis.dev/";

function makePolicy(part: Part, name: string, { spec, match, config }: PolicyParts, job: Job): JsonObject {
  const made = newObject();
  const root = config === undefined || isFlat(config) ? ident("params") : select(ident("params"), "spec");
  if (config !== undefined)
    made["paramKind"] = Object.assign(newObject(), { apiVersion: config.apiVersion, kind: config.kind });
  made["failurePolicy"] = part.failurePolicy;
  made["matchConstraints"] = match.resources;
  const conditions = [
    ...match.conditions.map((condition) => Object.assign(newObject(), condition)),
    ...convertExpressions(spec, "matchConditions", root, job),
  ];
  if (conditions.length > 0) made["matchConditions"] = conditions;
  const rootText = config === undefined || isFlat(config) ? "params" : "params.spec";
  const variables = [
    ...(config === undefined ? [] : [Object.assign(newObject(), { name: "config", expression: rootText })]),
    ...convertExpressions(spec, "terms", CONFIG_VARIABLE, job),
    ...convertExpressions(spec, "variables", CONFIG_VARIABLE, job),
  ];
  if (variables.length > 0) made["variables"] = variables;
  if (part.validations.length > 0) made["validations"] = part.validations.map(({ converted }) => converted.validation);
  const annotations = part.isApart ? [] : convertExpressions(spec, "auditAnnotations", CONFIG_VARIABLE, job);
  if (annotations.length > 0) made["auditAnnotations"] = annotations;
  return manifest("ValidatingAdmissionPolicy", metadataOf(part, name, spec, job), made);
}

/** A list of objects with expressions, `config` replaced in them. */
function convertExpressions(
  spec: JsonObject,
  field: string,
  config: ReturnType<typeof ident>,
  { report }: Job,
): JsonObject[] {
  const names = new Map([
    ["config", config],
    ["configuration", config],
  ]);
  return objectsOf(spec[field]).map((json, index) => {
    const key = field === "auditAnnotations" ? "valueExpression" : "expression";
    const path = `spec.${field}[${index}].${key}`;
    const rewritten = rewriteExpression(textOf(json[key]), {
      names,
      warn: (message) => report("warning", path, message),
    });
    if (typeof rewritten !== "string") return { ...json, [key]: rewritten.text };
    report("error", path, findings.doesNotParse(rewritten));
    return json;
  });
}

/** Where the policy came from is kept in annotations, so that reports can speak of the original. */
function metadataOf(part: Part, name: string, spec: JsonObject, { object }: Job): JsonObject {
  const metadata = copyObject(objectOf(object["metadata"]));
  const annotations = copyObject(objectOf(metadata["annotations"]));
  annotations[`${ANNOTATION_PREFIX}converted-from`] = textOf(objectOf(object["metadata"])["name"]);
  annotations[`${ANNOTATION_PREFIX}validation-indexes`] = part.validations.map(({ index }) => index).join(",");
  const severities = part.validations.map(({ converted }) => converted.severity || textOf(spec["severity"]));
  if (severities.some((severity) => severity !== ""))
    annotations[`${ANNOTATION_PREFIX}severity`] = severities.join(",");
  for (const key of ["generation", "resourceVersion", "uid", "creationTimestamp", "managedFields"])
    delete metadata[key];
  return { ...metadata, name, annotations };
}

function makeBinding(plan: BindingPlan, suffix: string, policyName: string): JsonObject {
  const metadata = Object.assign(newObject(), { name: `${plan.name}${suffix}` });
  return manifest("ValidatingAdmissionPolicyBinding", metadata, { policyName, ...plan.spec });
}

function manifest(kind: string, metadata: JsonObject, spec: JsonObject): JsonObject {
  return Object.assign(newObject(), { apiVersion: `${POLICY_GROUP}/v1`, kind, metadata, spec });
}
