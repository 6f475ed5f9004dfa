/**
 * Policies as KEP-3488 first proposed them, turned into v1 policies and bindings.
 *
 * The early shape keeps match criteria and values in one configuration object and knows no bindings; v1 has a binding for
 * each. `config` becomes the variable `config` over the params. Validations that differ in failure policy or severity
 * move to policies of their own, and so do those of a default configuration. Whatever v1 cannot say is reported, never
 * dropped in silence. Objects of other kinds come back as they are, the configurations among them: they are the params.
 */
import { isObject, type JsonObject, newObject } from "../../value/json.ts";
import { objectOf, objectsOf, textOf, textsOf } from "../../value/read.ts";
import { copyObject, withMember } from "../../value/rewrite.ts";
import { POLICY_GROUP } from "../objects/decode.ts";
import {
  type BindingPlan,
  type ConfigBindings,
  configBindings,
  defaultConfigName,
  singletonBinding,
} from "./bindings.ts";
import { apiVersionOf, type Config, checkConfigReads, findConfig, isFlat } from "./config.ts";
import { annotationUnlessConfigured, configuredVariables, unlessConfigured } from "./default-config.ts";
import { ident, rewriteExpression, select } from "./expression.ts";
import type { DraftFinding, Report } from "./findings.ts";
import * as findings from "./findings.ts";
import { type ConvertedMatch, convertMatch } from "./match.ts";
import { normalizeBinding, normalizePolicy } from "./normalize.ts";
import { type Part, splitValidations } from "./parts.ts";
import { actionOf } from "./severity.ts";
import { CONFIG_VARIABLE, convertValidation, type ValidationContext } from "./validations.ts";

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
 * @example const { objects, findings } = convertDraftPolicy(manifests);
 */
export function convertDraftPolicy(given: readonly JsonObject[], options: DraftOptions = {}): DraftConversion {
  const found: DraftFinding[] = [];
  const others = given.filter((object) => !isDraftPolicy(object));
  const names = new Set<string>();
  const made = given.filter(isDraftPolicy).flatMap((object) => {
    const name = freeName(textOf(objectOf(object["metadata"])["name"]), names);
    const report = reporter(`ValidatingAdmissionPolicy/${name.found}`, found);
    if (name.free !== name.found) report("warning", "metadata.name", findings.renamed(name.found, name.free));
    const job = { object, name: name.free, options, report, found };
    const embedded = embeddedDefault(object, name.free);
    return [...convert({ ...job, others: [...others, ...embedded] }), ...embedded];
  });
  return { objects: [...made, ...others], findings: found };
}

const DRAFT_FIELDS = ["config", "match", "policyType", "singletonPolicy", "defaultConfig"];
const DRAFT_VALIDATION_FIELDS = ["rule", "failurePolicy", "scope", "severity", "code"];

/** Whether an object is a policy of the early shape. */
export function isDraftPolicy(object: JsonObject): boolean {
  if (object["kind"] !== "ValidatingAdmissionPolicy") return false;
  const spec = objectOf(object["spec"]);
  const has = (json: JsonObject, fields: readonly string[]): boolean =>
    fields.some((field) => json[field] !== undefined);
  return has(spec, DRAFT_FIELDS) || objectsOf(spec["validations"]).some((each) => has(each, DRAFT_VALIDATION_FIELDS));
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
  ...DRAFT_FIELDS,
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
  const action = actionOf(textOf(spec["severity"]), "spec.severity", report);
  const context = { ...validationContext(match, configReads, job), action };
  const validations = objectsOf(spec["validations"]).map((json, index) =>
    convertValidation(json, `spec.validations[${index}]`, context),
  );
  const config = findConfig(spec, configReads.size > 0, job);
  checkConfigReads(configReads, config, report);
  const bindings = planBindings(config, spec, job);
  const parts = splitValidations(validations, { failurePolicy: textOf(spec["failurePolicy"]) || "Fail", action });
  const sources = { spec, match, config };
  return parts.flatMap((part) => {
    if (part.suffix !== "")
      report("warning", "spec.validations", findings.partApart(part.what, `${name}${part.suffix}`));
    return [
      ...withBindings(makePolicy(part, sources, job), bindings.ordinary, part, report),
      ...makeDefaults(makePolicy(part, sources, job), bindings, part, report),
    ];
  });
}

/** The policy of the default configurations, which steps back where another configuration applies. */
function makeDefaults(policy: JsonObject, bindings: ConfigBindings, part: Part, report: Report): JsonObject[] {
  const { ordinary, defaults } = bindings;
  if (defaults.length === 0) return [];
  const metadata = objectOf(policy["metadata"]);
  const name = `${textOf(metadata["name"])}.default`;
  report("warning", "spec", findings.defaultApart(name));
  const spec = objectOf(policy["spec"]);
  const matches = ordinary.map((plan) => objectOf(plan.spec["matchResources"]));
  const guarded = copyObject(spec);
  guarded["variables"] = [...configuredVariables(matches), ...objectsOf(spec["variables"])];
  guarded["validations"] = objectsOf(spec["validations"]).map((each) =>
    withMember(each, "expression", unlessConfigured(textOf(each["expression"]))),
  );
  const annotations = objectsOf(spec["auditAnnotations"]).map((each) =>
    withMember(each, "valueExpression", annotationUnlessConfigured(textOf(each["valueExpression"]))),
  );
  if (annotations.length > 0) guarded["auditAnnotations"] = annotations;
  const own = manifest("ValidatingAdmissionPolicy", withMember(metadata, "name", name), guarded);
  return withBindings(own, defaults, part, report);
}

function withBindings(policy: JsonObject, plans: readonly BindingPlan[], part: Part, report: Report): JsonObject[] {
  const policyName = textOf(objectOf(policy["metadata"])["name"]);
  const bindings = plans.map((plan) => normalizeBinding(makeBinding(plan, part, policyName), report));
  return [normalizePolicy(policy, report), ...bindings];
}

/** A default configuration that the policy contains is an object like the others. */
function embeddedDefault(object: JsonObject, name: string): JsonObject[] {
  const { config, defaultConfig } = objectOf(object["spec"]);
  if (!isObject(config) || !isObject(defaultConfig)) return [];
  const metadata = Object.assign(newObject(), { name: defaultConfigName(name) });
  return [
    Object.assign(newObject(), {
      apiVersion: apiVersionOf(config),
      kind: config["kind"],
      metadata,
      spec: defaultConfig,
    }),
  ];
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
): Omit<ValidationContext, "action"> {
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

function planBindings(config: Config | undefined, spec: JsonObject, { name, report, found }: Job): ConfigBindings {
  if (config === undefined) return { ordinary: [singletonBinding(name)], defaults: [] };
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

interface PolicyParts {
  readonly spec: JsonObject;
  readonly match: ConvertedMatch;
  readonly config: Config | undefined;
}

const ANNOTATION_PREFIX = "policy.portcullis.dev/";

function makePolicy(part: Part, { spec, match, config }: PolicyParts, job: Job): JsonObject {
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
  const annotations = !part.isFirst ? [] : convertExpressions(spec, "auditAnnotations", CONFIG_VARIABLE, job);
  if (annotations.length > 0) made["auditAnnotations"] = annotations;
  return manifest("ValidatingAdmissionPolicy", metadataOf(part, job), made);
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
function metadataOf(part: Part, { object, name }: Job): JsonObject {
  const metadata = copyObject(objectOf(object["metadata"]));
  const annotations = copyObject(objectOf(metadata["annotations"]));
  annotations[`${ANNOTATION_PREFIX}converted-from`] = textOf(objectOf(object["metadata"])["name"]);
  annotations[`${ANNOTATION_PREFIX}validation-indexes`] = part.validations.map(({ index }) => index).join(",");
  for (const key of ["generation", "resourceVersion", "uid", "creationTimestamp", "managedFields"])
    delete metadata[key];
  return { ...metadata, name: `${name}${part.suffix}`, annotations };
}

function makeBinding(plan: BindingPlan, { suffix, action }: Part, policyName: string): JsonObject {
  const metadata = Object.assign(newObject(), { name: `${plan.name}${suffix}` });
  const spec = { policyName, ...plan.spec, validationActions: [plan.action ?? action] };
  return manifest("ValidatingAdmissionPolicyBinding", metadata, spec);
}

function manifest(kind: string, metadata: JsonObject, spec: JsonObject): JsonObject {
  return Object.assign(newObject(), { apiVersion: `${POLICY_GROUP}/v1`, kind, metadata, spec });
}
