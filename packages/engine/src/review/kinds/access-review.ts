/** The rules of access reviews as objects. Follows kubernetes pkg/apis/authorization/validation. */
import { quote } from "@portcullis/gostd/quote";
import { type BadValue, type FieldError, forbidden, GoJson, invalid, required } from "../../field/error.ts";
import { goJsonText } from "../../field/go-json.ts";
import { checkLabelValue, checkQualifiedName } from "../../field/names.ts";
import { type FieldPath, newPath } from "../../field/path.ts";
import { objectMeta } from "../../schema/meta-shape.ts";
import { parseFieldSelector } from "../../selector/fields.ts";
import { parseLabelSelector } from "../../selector/labels.ts";
import { badRequest, invalid as invalidStatus } from "../../status/error.ts";
import { isArray, isObject, type JsonObject, newObject } from "../../value/json.ts";
import { metaOf, metaText, objectOf, textOf, withMeta } from "../../value/metadata.ts";
import { since } from "../../value/server-version.ts";
import type { SelectorRequirement } from "../authorizer.ts";
import { namespaceMismatch } from "../messages.ts";
import * as messages from "./access-review-messages.ts";

const SPEC = newPath("spec");
const RESOURCE = SPEC.child("resourceAttributes");
const PATH = SPEC.child("nonResourceAttributes");

/** The review in the namespace of the request, valid. Throws a StatusError where it is not. */
export function checkAccessReview(draft: JsonObject, namespace: string): JsonObject {
  const placed = inNamespace(draft, namespace);
  const errors = validateReview(placed, namespace);
  // Upstream's internal objects have lost their kind by then, so refusals name none.
  if (errors.length > 0) throw invalidStatus({ group: "authorization.k8s.io", kind: "" }, "", errors);
  return placed;
}

/** Only local reviews have a namespace. */
function inNamespace(draft: JsonObject, namespace: string): JsonObject {
  if (namespace === "") return draft;
  const own = metaText(draft, "namespace");
  if (own !== "" && own !== namespace) throw badRequest(namespaceMismatch());
  return withMeta(draft, { namespace });
}

/** Throws a StatusError where there is nothing to review. */
export function checkTokenReview(draft: JsonObject): void {
  const spec = isObject(draft["spec"]) ? draft["spec"] : newObject();
  if (textOf(spec["token"]) === "") throw badRequest(messages.tokenRequired());
}

/** Throws a StatusError where no namespace is given. */
export function checkRulesReview(draft: JsonObject): void {
  const spec = isObject(draft["spec"]) ? draft["spec"] : newObject();
  if (textOf(spec["namespace"]) === "") throw badRequest(messages.noNamespaceOnRequest());
}

function validateReview(draft: JsonObject, namespace: string): FieldError[] {
  const spec = isObject(draft["spec"]) ? draft["spec"] : newObject();
  const kind = textOf(draft["kind"]);
  return [
    ...validateAttributes(spec),
    ...(kind === "SelfSubjectAccessReview" ? [] : validateSubject(spec)),
    ...validateSelectors(spec),
    ...validateMetadata(draft, kind),
    ...(kind === "LocalSubjectAccessReview" ? validateLocal(spec, namespace) : []),
  ];
}

function validateAttributes(spec: JsonObject): FieldError[] {
  const [resource, path] = [spec["resourceAttributes"], spec["nonResourceAttributes"]];
  const isDeclared = since("1.37");
  if (isObject(resource) && isObject(path)) {
    const message = isDeclared ? messages.noAttributes() : messages.bothAttributes();
    return [invalid(isDeclared ? SPEC : PATH, pathValue(path), message)];
  }
  if (isObject(resource) || isObject(path)) return [];
  return [invalid(isDeclared ? SPEC : RESOURCE, null, messages.noAttributes())];
}

/** As the internal type is written, whose fields have no names for JSON. */
function pathValue(attributes: JsonObject): BadValue {
  const [path, verb] = [textOf(attributes["path"]), textOf(attributes["verb"])];
  if (since("1.34")) return objectOf({ Path: path, Verb: verb });
  return new GoJson(`authorization.NonResourceAttributes{Path:${quote(path)}, Verb:${quote(verb)}}`);
}

function validateSubject(spec: JsonObject): FieldError[] {
  const groups = spec["groups"];
  const hasSubject = textOf(spec["user"]) !== "" || (isArray(groups) && groups.length > 0);
  return hasSubject ? [] : [invalid(SPEC.child("user"), "", messages.noSubject())];
}

function validateSelectors(spec: JsonObject): FieldError[] {
  const attributes = isObject(spec["resourceAttributes"]) ? spec["resourceAttributes"] : newObject();
  return ["fieldSelector", "labelSelector"].flatMap((name) => {
    const selector = attributes[name];
    return isObject(selector) ? validateSelector(selector, RESOURCE.child(name), name === "labelSelector") : [];
  });
}

function validateSelector(selector: JsonObject, path: FieldPath, isLabel: boolean): FieldError[] {
  const raw = textOf(selector["rawSelector"]);
  const requirements = requirementsOf(selector);
  const [isBoth, isNeither] = [raw !== "" && requirements.length > 0, raw === "" && requirements.length === 0];
  const at = path.child("requirements");
  return [
    ...(isBoth ? [invalid(path.child("rawSelector"), raw, messages.selectorTwice())] : []),
    ...(isNeither ? [required(at, messages.selectorNeeded(path.toString()))] : []),
    ...requirements.flatMap((each, index) => validateRequirement(each, at.index(index), isLabel)),
  ];
}

/** Operators that are not known may be those of newer clients, and are no mistake. */
function validateRequirement(requirement: JsonObject, path: FieldPath, isLabel: boolean): FieldError[] {
  const values = isArray(requirement["values"]) ? requirement["values"].map(textOf) : [];
  const key = textOf(requirement["key"]);
  const operand = validateValues(textOf(requirement["operator"]), values, path.child("values"));
  if (!isLabel) return [...(key === "" ? [required(path.child("key"), messages.keyNeeded())] : []), ...operand];
  return [
    ...operand,
    ...checkQualifiedName(key).map((problem) => invalid(path.child("key"), key, problem)),
    ...values.flatMap((value, index) =>
      checkLabelValue(value).map((problem) => invalid(path.child("values").index(index), value, problem)),
    ),
  ];
}

function validateValues(operator: string, values: readonly string[], path: FieldPath): FieldError[] {
  if (operator === "In" || operator === "NotIn")
    return values.length > 0 ? [] : [required(path, messages.valuesNeeded())];
  const isUnary = operator === "Exists" || operator === "DoesNotExist";
  return isUnary && values.length > 0 ? [forbidden(path, messages.valuesForbidden())] : [];
}

function requirementsOf(selector: JsonObject): JsonObject[] {
  return isArray(selector["requirements"]) ? selector["requirements"].filter(isObject) : [];
}

function validateMetadata(draft: JsonObject, kind: string): FieldError[] {
  const isLocal = kind === "LocalSubjectAccessReview";
  const allowed = ["managedFields", "creationTimestamp", ...(isLocal ? ["namespace"] : [])];
  const isEmpty = Object.keys(metaOf(draft)).every((key) => allowed.includes(key));
  const detail = isLocal ? messages.metadataNotEmptyButNamespace() : messages.metadataNotEmpty();
  return isEmpty ? [] : [invalid(newPath("metadata"), new GoJson(goJsonText(metaOf(draft), objectMeta)), detail)];
}

function validateLocal(spec: JsonObject, namespace: string): FieldError[] {
  const [resource, path] = [spec["resourceAttributes"], spec["nonResourceAttributes"]];
  const asked = isObject(resource) ? textOf(resource["namespace"]) : namespace;
  return [
    ...(asked === namespace ? [] : [invalid(RESOURCE.child("namespace"), asked, messages.namespaceMustMatch())]),
    ...(isObject(path) ? [invalid(PATH, pathValue(path), messages.pathDisallowed())] : []),
  ];
}

const LABEL_OPERATORS = ["In", "NotIn", "Exists", "DoesNotExist"];

/** Selectors that cannot be read are left out of the question, which is broader then; the answer says so. */
export function evaluationError(attributes: JsonObject, failure: string | undefined): string {
  const ignored = ["fieldSelector", "labelSelector"].flatMap((name) => {
    const selector = attributes[name];
    const isField = name === "fieldSelector";
    const counts = isObject(selector) ? countBad(selector, isField) : { bad: 0, good: 0 };
    return counts.bad === 0 ? [] : [messages.selectorIgnored(name, counts.good > 0)];
  });
  return [...(failure === undefined ? [] : [failure]), ...ignored].join("; ");
}

/** The requirements that authorizers see: those that can be read. */
export function readRequirements(selector: JsonObject, isField: boolean): SelectorRequirement[] {
  return requirementsOf(selector)
    .filter((each) => isReadable(each, isField))
    .map((each) => ({
      key: textOf(each["key"]),
      operator: textOf(each["operator"]),
      values: isArray(each["values"]) ? each["values"].map(textOf) : [],
    }));
}

function countBad(selector: JsonObject, isField: boolean): { readonly bad: number; readonly good: number } {
  const raw = textOf(selector["rawSelector"]);
  if (raw !== "") {
    const { error } = isField ? parseFieldSelector(raw) : parseLabelSelector(raw);
    return { bad: error === undefined ? 0 : 1, good: 0 };
  }
  const requirements = requirementsOf(selector);
  const bad = requirements.filter((each) => !isReadable(each, isField)).length;
  return { bad, good: requirements.length - bad };
}

function isReadable(requirement: JsonObject, isField: boolean): boolean {
  const operator = textOf(requirement["operator"]);
  const values = isArray(requirement["values"]) ? requirement["values"] : [];
  if (isField) return (operator === "In" || operator === "NotIn") && values.length === 1;
  const isSet = operator === "In" || operator === "NotIn";
  return LABEL_OPERATORS.includes(operator) && values.length > 0 === isSet;
}
