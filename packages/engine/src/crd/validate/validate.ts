/**
 * Whether the API server accepts a CustomResourceDefinition.
 *
 * Follows apiextensions pkg/apis/apiextensions/validation and pkg/registry/customresourcedefinition: the findings of the
 * resource's own strategy, to which the generic registry adds its common checks of metadata.
 */
import { parseRequestUri } from "@portcullis/gostd/url";
import { type BadValue, type FieldError, invalid, required } from "../../field/error.ts";
import { checkDnsSubdomain, maskTrailingDash } from "../../field/names.ts";
import { type FieldPath, newPath } from "../../field/path.ts";
import type { KubernetesVersion } from "../../kubecel/versions.ts";
import type { CompiledRule } from "../../rules/compile.ts";
import type { RuleCache } from "../../rules/rule-cache.ts";
import type { RuleTimes } from "../../rules/times.ts";
import { immutable } from "../../schema/meta-messages.ts";
import { validateMeta, validateMetaUpdate } from "../../schema/object-meta.ts";
import { isObject, type JsonObject, type JsonValue, newObject } from "../../value/json.ts";
import { type CustomResourceDefinition, readNames } from "../definition.ts";
import { goTexts, goValue } from "../go-json.ts";
import { type InternalDefinition, toInternal } from "../internal.ts";
import * as messages from "../messages.ts";
import { validateNames } from "../names.ts";
import { CREATE, type Switches, updateSwitches } from "./ratchet.ts";
import type { ObservedRule } from "./rule-context.ts";
import { validateSpec } from "./validate-spec.ts";
import { definitionWarnings } from "./warnings.ts";

export interface DefinitionOptions {
  /** The Kubernetes version whose behaviour is wanted. */
  readonly version: KubernetesVersion;
  readonly gates: DefinitionGates;
  /** Hears of every rule that was compiled. */
  readonly onRule?: ((observed: ObservedRule) => void) | undefined;
  /** Where rules that were compiled before are found again. */
  readonly ruleCache?: RuleCache<CompiledRule> | undefined;
  readonly times?: RuleTimes | undefined;
}

/** Feature gates, by upstream's names; absent ones are on. */
export interface DefinitionGates {
  readonly CRDValidationRatcheting: boolean;
  readonly CRDPropertyNameSchemas: boolean;
  readonly CustomResourceFieldSelectors?: boolean;
  readonly CRDObservedGenerationTracking?: boolean;
}

export interface DefinitionVerdict {
  readonly errors: readonly FieldError[];
  /** Sent only where there are no errors. */
  readonly warnings: readonly string[];
}

/** `json` and `old` are decoded definitions that went through `prepare`; without `old` it is a create. */
export function validateDefinition(
  json: JsonObject,
  old: JsonObject | undefined,
  options: DefinitionOptions,
): DefinitionVerdict {
  const { version, gates, onRule, ruleCache, times } = options;
  const definition = toInternal(json, gates);
  const before = old && toInternal(old, gates);
  const switches = before === undefined ? CREATE : updateSwitches(definition, before);
  const errors = [
    ...validateMetadata(definition.definition, before?.definition),
    ...validateSpec(definition, newPath("spec"), {
      version,
      switches,
      ratcheting: gates.CRDValidationRatcheting,
      onRule,
      ruleCache,
      times,
    }),
    ...(before === undefined ? [] : checkImmutable(definition.definition, before.definition, switches)),
    ...validateAcceptedNames(json),
    ...validateStoredVersions(definition),
    ...checkApproval(definition.definition, before?.definition),
    ...checkPreserveUnknownFields(definition.definition, before?.definition),
  ];
  return { errors, warnings: definitionWarnings(definition, before, version) };
}

/** On a status update only metadata and accepted names are looked at. */
export function validateDefinitionStatus(json: JsonObject, old: JsonObject): FieldError[] {
  return [...validateMetaUpdate(metaOf(json), metaOf(old), newPath("metadata")), ...validateAcceptedNames(json)];
}

function validateMetadata(
  definition: CustomResourceDefinition,
  old: CustomResourceDefinition | undefined,
): FieldError[] {
  const meta = metaOf(definition.json);
  const path = newPath("metadata");
  if (old !== undefined) return validateMetaUpdate(meta, metaOf(old.json), path);
  const expected = `${definition.names.plural}.${definition.group}`;
  const checkName = (name: string, isPrefix: boolean): string[] => {
    const problems = checkDnsSubdomain(isPrefix ? maskTrailingDash(name) : name);
    return name === expected ? problems : [...problems, messages.nameMustMatch()];
  };
  return validateMeta(meta, { namespaced: false, checkName }, path);
}

function metaOf(json: JsonObject): JsonObject {
  return isObject(json["metadata"]) ? json["metadata"] : newObject();
}

/** Group and plural are part of the object's name; scope and kind are part of what is stored. */
function checkImmutable(
  definition: CustomResourceDefinition,
  old: CustomResourceDefinition,
  { requireImmutableNames }: Switches,
): FieldError[] {
  const spec = newPath("spec");
  const errors: FieldError[] = [];
  const refuse = (path: FieldPath, value: BadValue): void => {
    errors.push(invalid(path, value, immutable(), "immutable"));
  };
  const { scope, names, group } = definition;
  if (requireImmutableNames) {
    if (scope !== old.scope) refuse(spec.child("scope"), goValue(scope));
    if (names.kind !== old.names.kind) refuse(spec.child("names", "kind"), names.kind);
  }
  if (group !== old.group) refuse(spec.child("group"), group);
  if (names.plural !== old.names.plural) refuse(spec.child("names", "plural"), names.plural);
  return errors;
}

function validateAcceptedNames(json: JsonObject): FieldError[] {
  const status = isObject(json["status"]) ? json["status"] : newObject();
  const names = isObject(status["acceptedNames"]) ? status["acceptedNames"] : newObject();
  return validateNames(readNames(names), newPath("status", "acceptedNames"));
}

function validateStoredVersions({ definition, versions }: InternalDefinition): FieldError[] {
  const path = newPath("status", "storedVersions");
  const stored = [...definition.storedVersions];
  if (stored.length === 0) {
    return [invalid(path, goTexts(storedList(definition)), messages.noStoredVersion(), "storedVersions")];
  }
  // Of a version that is listed twice upstream remembers the last place, and forgets it once it is found.
  const places = new Map(stored.map((name, index) => [name, index]));
  const errors: FieldError[] = [];
  for (const { name, storage } of versions) {
    const isFound = places.delete(name);
    if (storage && !isFound) {
      errors.push(invalid(path, goTexts(stored), messages.storageNotStored(name), "storedVersions"));
    }
  }
  for (const [name, index] of places) {
    errors.push(invalid(path.index(index), name, messages.storedNotServed(name), "storedVersions"));
  }
  return errors;
}

/** An empty list differs from nil. */
function storedList({ json }: CustomResourceDefinition): JsonValue | undefined {
  return isObject(json["status"]) ? json["status"]["storedVersions"] : undefined;
}

type Approval = "missing" | "bypassed" | "approved" | "invalid";

/** Groups of the Kubernetes project need an approval; a stored CRD without one may stay without it. */
function checkApproval(definition: CustomResourceDefinition, old: CustomResourceDefinition | undefined): FieldError[] {
  if (!/(^|\.)(k8s|kubernetes)\.io$/.test(definition.group)) return [];
  const state = approvalOf(definition);
  if (old !== undefined && approvalOf(old) === state) return [];
  const path = newPath("metadata", "annotations").key(messages.APPROVAL_ANNOTATION);
  if (state === "missing") return [required(path, messages.approvalMissing(), "approval")];
  return state === "invalid" ? [invalid(path, annotationOf(definition), messages.approvalInvalid(), "approval")] : [];
}

function approvalOf(definition: CustomResourceDefinition): Approval {
  const annotation = annotationOf(definition);
  if (annotation === "") return "missing";
  if (annotation.startsWith("unapproved")) return "bypassed";
  const { url } = parseRequestUri(annotation);
  return url !== undefined && url.host !== "" && url.scheme !== "" ? "approved" : "invalid";
}

function annotationOf({ json }: CustomResourceDefinition): string {
  const annotations = metaOf(json)["annotations"];
  const annotation = isObject(annotations) ? annotations[messages.APPROVAL_ANNOTATION] : undefined;
  return typeof annotation === "string" ? annotation : "";
}

/** Definitions from before structural schemas may keep it. */
function checkPreserveUnknownFields(
  definition: CustomResourceDefinition,
  old: CustomResourceDefinition | undefined,
): FieldError[] {
  if (!definition.preserveUnknownFields || old?.preserveUnknownFields === true) return [];
  const path = newPath("spec", "preserveUnknownFields");
  return [invalid(path, true, messages.cannotPreserve(), "preserveUnknownFields")];
}
