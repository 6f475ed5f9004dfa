/**
 * The names of a CRD: accepted unless another CRD of the group uses them, and with them the CRD is established.
 *
 * Follows apiextensions pkg/controller/status.
 */
import { findCondition, isTrue, setCondition } from "@portcullis/engine/internal/crd/conditions";
import { isCaBundleValid, readConversion } from "@portcullis/engine/internal/crd/conversion";
import {
  type CustomResourceDefinition,
  type DefinitionNames,
  readDefinition,
} from "@portcullis/engine/internal/crd/definition";
import { aggregate } from "@portcullis/engine/internal/field/format";
import { deepEqual } from "@portcullis/engine/internal/value/equal";
import { isObject, type JsonObject, newObject } from "@portcullis/engine/internal/value/json";
import { objectOf } from "@portcullis/engine/internal/value/metadata";
import { withMember } from "@portcullis/engine/internal/value/rewrite";
import { quote } from "@portcullis/gostd/quote";

export interface UsedNames {
  readonly resources: Set<string>;
  readonly kinds: Set<string>;
}

export function groupOf(json: JsonObject): string {
  const group = isObject(json["spec"]) ? json["spec"]["group"] : undefined;
  return typeof group === "string" ? group : "";
}

export function acceptedNames(json: JsonObject): DefinitionNames {
  const status = isObject(json["status"]) ? json["status"] : newObject();
  return readDefinition(objectOf({ spec: objectOf({ names: status["acceptedNames"] }) })).names;
}

export function isEstablished(json: JsonObject): boolean {
  const status = isObject(json["status"]) ? json["status"] : newObject();
  const spec = isObject(json["spec"]) ? json["spec"] : newObject();
  return deepEqual(status["acceptedNames"] ?? null, spec["names"] ?? null) && isTrue(json, "Established");
}

interface NameVerdict {
  readonly names: JsonObject;
  readonly conflict: { readonly reason: string; readonly message: string } | undefined;
}

export function withAcceptedNames(json: JsonObject, used: UsedNames, now: string): JsonObject {
  const { names, conflict } = checkNames(readDefinition(json), used);
  const status = withMember(isObject(json["status"]) ? json["status"] : newObject(), "acceptedNames", names);
  const accepted = objectOf({
    type: "NamesAccepted",
    status: conflict === undefined ? "True" : "False",
    reason: conflict?.reason ?? "NoConflicts",
    message: conflict?.message ?? "no conflicts found",
  });
  const named = setCondition(status, accepted, now);
  return withMember(json, "status", withEstablished(named, json, conflict === undefined, now));
}

function withEstablished(status: JsonObject, json: JsonObject, isAccepted: boolean, now: string): JsonObject {
  if (isTrue(json, "Established")) return status;
  if (isAccepted && !hasUsableCaBundle(json)) return setCondition(status, objectOf(BAD_CA_BUNDLE), now);
  if (!isAccepted && findCondition(json, "Established") !== undefined) return status;
  const established = objectOf({
    type: "Established",
    status: isAccepted ? "True" : "False",
    reason: isAccepted ? "InitialNamesAccepted" : "NotAccepted",
    message: isAccepted ? "the initial names have been accepted" : "not all names are accepted",
  });
  return setCondition(status, established, now);
}

const BAD_CA_BUNDLE = {
  type: "Established",
  status: "False",
  reason: "InvalidCABundle",
  message: "The conversion webhook CABundle is invalid",
};

/** A CRD whose conversion webhook can never be called is not established. */
function hasUsableCaBundle(json: JsonObject): boolean {
  const client = readConversion(readDefinition(json).conversion)?.client;
  return client === undefined || client.caBundle === "" || isCaBundleValid(client.caBundle);
}

/** Checks each name separately; the last conflict is reported. */
function checkNames(definition: CustomResourceDefinition, used: UsedNames): NameVerdict {
  const [wanted, accepted] = [definition.names, acceptedNames(definition.json)];
  let conflict: NameVerdict["conflict"];
  const accept = (name: string, before: string, taken: ReadonlySet<string>, reason: string): string => {
    if (name === before || !taken.has(name)) return name;
    conflict = { reason, message: inUse(name) };
    return before;
  };
  const plural = accept(wanted.plural, accepted.plural, used.resources, "PluralConflict");
  const singular = accept(wanted.singular, accepted.singular, used.resources, "SingularConflict");
  const taken = wanted.shortNames.filter((name) => !accepted.shortNames.includes(name) && used.resources.has(name));
  if (taken.length > 0) conflict = { reason: "ShortNamesConflict", message: aggregate(taken.map(inUse)) };
  const shortNames = taken.length > 0 ? accepted.shortNames : wanted.shortNames;
  const kind = accept(wanted.kind, accepted.kind, used.kinds, "KindConflict");
  const listKind = accept(wanted.listKind, accepted.listKind, used.kinds, "ListKindConflict");
  const names = { plural, singular, shortNames, kind, listKind, categories: wanted.categories };
  return { names: namesJson(names), conflict };
}

const inUse = (name: string): string => `${quote(name)} is already in use`;

function namesJson({ plural, singular, shortNames, kind, listKind, categories }: DefinitionNames): JsonObject {
  return objectOf({
    plural,
    singular: singular || undefined,
    shortNames: shortNames.length === 0 ? undefined : [...shortNames],
    kind,
    listKind: listKind || undefined,
    categories: categories.length === 0 ? undefined : [...categories],
  });
}
