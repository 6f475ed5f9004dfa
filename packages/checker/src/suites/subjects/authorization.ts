/**
 * The spec of a SubjectAccessReview, put to the match conditions of an AuthorizationConfiguration: which webhooks are
 * asked. Follows apiserver pkg/authorization/cel.
 *
 * All conditions of a webhook are evaluated until one is false, so a condition that fails counts only if no later one is
 * false.
 */
import { fromJson, listOf, mapOf, objectType, STRING } from "@portcullis/cel";
import type { DeclType } from "@portcullis/engine/internal/kubecel/decl-type";
import { toPlain } from "@portcullis/engine/internal/value/copy";
import { isArray, isObject, type JsonObject, type JsonValue, newObject } from "@portcullis/engine/internal/value/json";
import { objectOf, objectsOf, textOf } from "@portcullis/engine/internal/value/read";
import { UsageError } from "../../input/usage-error.ts";
import type { Observation } from "../expectation.ts";
import type { AuthorizationSubject } from "../suite.ts";
import type { SuiteContext } from "./context.ts";
import { compileProgram, configuredEnvironment } from "./programs.ts";

export function observeAuthorization(
  { configuration, review }: AuthorizationSubject,
  { engine }: SuiteContext,
): Observation {
  const environment = configuredEnvironment({ request: REQUEST.type }, [REQUEST], engine.version);
  const variables = { request: fromJson(toPlain(requestOf(review))) };
  const webhooks = new Map<string, string>();
  const errors: string[] = [];
  let cost = 0;
  let isDenied = false;
  objectsOf(configuration["authorizers"]).forEach((authorizer, index) => {
    if (authorizer["type"] !== "Webhook") return;
    const webhook = objectOf(authorizer["webhook"]);
    const own: string[] = [];
    let isExcluded = false;
    objectsOf(webhook["matchConditions"]).forEach(({ expression }, condition) => {
      const program = compileProgram(textOf(expression), environment);
      const place = `authorizers[${index}].webhook.matchConditions[${condition}].expression`;
      if (program.problem !== undefined) throw new UsageError(`${place}: ${program.problem}`);
      if (program.type?.kind !== "bool") throw new UsageError(`${place}: must evaluate to bool`);
      if (isExcluded) return;
      const result = program.evaluate(variables);
      cost += result.cost;
      if (result.error !== undefined)
        own.push(`cel evaluation error: expression '${textOf(expression)}' resulted in error: ${result.error}`);
      else if (result.value === false) isExcluded = true;
    });
    const isError = !isExcluded && own.length > 0;
    webhooks.set(textOf(authorizer["name"]), isExcluded ? "not asked" : isError ? "error" : "asked");
    if (isError) errors.push(own.length === 1 ? own.join("") : `[${own.join(", ")}]`);
    if (isError && textOf(webhook["failurePolicy"]) === "Deny") isDenied = true;
  });
  const isAsked = [...webhooks.values()].includes("asked");
  return {
    outcomes: [
      ...(isDenied ? (["deny"] as const) : []),
      ...(errors.length > 0 ? (["error"] as const) : []),
      ...(isAsked ? (["match"] as const) : []),
      ...(!isAsked && errors.length === 0 ? (["skip"] as const) : []),
    ],
    why: errors[0] ?? "", texts: errors, warnings: [], webhooks, cost,
  };
}

const scalar: DeclType = {
  type: STRING, maxElements: 0n, minSerializedSize: 0,
  fields: undefined, key: undefined, element: undefined,
};
const TEXTS: DeclType = { ...scalar, type: listOf(STRING), element: scalar };

function struct(name: string, fields: Readonly<Record<string, DeclType>>): DeclType {
  return { ...scalar, type: objectType(`kubernetes.${name}`), fields: new Map(Object.entries(fields)) };
}

const REQUIREMENT = struct("SelectorRequirement", { key: scalar, operator: scalar, values: TEXTS });
const REQUIREMENTS: DeclType = { ...scalar, type: listOf(REQUIREMENT.type), element: REQUIREMENT };
const REQUEST = struct("SubjectAccessReviewSpec", {
  resourceAttributes: struct("ResourceAttributes", {
    namespace: scalar, verb: scalar, group: scalar, version: scalar, resource: scalar, subresource: scalar,
    name: scalar,
    fieldSelector: struct("FieldSelectorAttributes", { rawSelector: scalar, requirements: REQUIREMENTS }),
    labelSelector: struct("LabelSelectorAttributes", { rawSelector: scalar, requirements: REQUIREMENTS }),
  }),
  nonResourceAttributes: struct("NonResourceAttributes", { path: scalar, verb: scalar }),
  user: scalar,
  groups: TEXTS,
  extra: { ...scalar, type: mapOf(STRING, listOf(STRING)), key: scalar, element: TEXTS },
  uid: scalar,
});

const RESOURCE_FIELDS = ["namespace", "verb", "group", "version", "resource", "subresource", "name"];

/** Every text is there, even if empty; a selector has its raw form, or its requirements, or is absent. */
function requestOf(spec: JsonObject): JsonObject {
  const request = newObject();
  for (const name of ["user", "uid"]) request[name] = textOf(spec[name]);
  request["groups"] = isArray(spec["groups"]) ? spec["groups"] : [];
  request["extra"] = isObject(spec["extra"]) ? spec["extra"] : newObject();
  const { resourceAttributes, nonResourceAttributes } = spec;
  if (isObject(resourceAttributes)) request["resourceAttributes"] = resourceOf(resourceAttributes);
  if (isObject(nonResourceAttributes)) {
    request["nonResourceAttributes"] = textsOf(nonResourceAttributes, ["verb", "path"]);
  }
  return request;
}

function resourceOf(attributes: JsonObject): JsonObject {
  const made = textsOf(attributes, RESOURCE_FIELDS);
  for (const name of ["fieldSelector", "labelSelector"]) {
    const selector = attributes[name];
    const shown = isObject(selector) ? selectorOf(selector) : undefined;
    if (shown !== undefined) made[name] = shown;
  }
  return made;
}

function selectorOf({ rawSelector, requirements }: JsonObject): JsonObject | undefined {
  const made = newObject();
  if (textOf(rawSelector) !== "") made["rawSelector"] = textOf(rawSelector);
  else if (objectsOf(requirements).length > 0) made["requirements"] = objectsOf(requirements).map(requirementOf);
  else return undefined;
  return made;
}

function requirementOf(requirement: JsonObject): JsonValue {
  const made = textsOf(requirement, ["key", "operator"]);
  made["values"] = isArray(requirement["values"]) ? requirement["values"] : [];
  return made;
}

function textsOf(source: JsonObject, names: readonly string[]): JsonObject {
  const made = newObject();
  for (const name of names) made[name] = textOf(source[name]);
  return made;
}
