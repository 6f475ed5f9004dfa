/**
 * The names of CRDs: which are in use in a group, and which of a CRD's own are accepted.
 *
 * Follows apiextensions pkg/controller/status/naming_controller.go.
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

interface Accepted {
  readonly group: string;
  readonly names: DefinitionNames;
  readonly hasConflict: boolean;
}

/** The accepted names of all CRDs. */
export class NamesInUse {
  readonly #accepted = new Map<string, Accepted>();
  /** The keys of the CRDs that have a name, by group, sort of name and name. */
  readonly #users = new Map<string, Set<string>>();
  /** The keys of the CRDs that wait for a name. */
  readonly #waiting = new Set<string>();

  /** Undefined for a CRD that is gone. */
  set(key: string, json: JsonObject | undefined): void {
    const before = this.#accepted.get(key);
    for (const name of before ? usedNames(before) : []) this.#release(name, key);
    this.#waiting.delete(key);
    this.#accepted.delete(key);
    if (json === undefined) return;
    const accepted = { group: groupOf(json), names: acceptedNames(json), hasConflict: !isTrue(json, "NamesAccepted") };
    this.#accepted.set(key, accepted);
    if (accepted.hasConflict) this.#waiting.add(key);
    for (const name of usedNames(accepted)) this.#users.set(name, (this.#users.get(name) ?? new Set()).add(key));
  }

  /** The keys of other CRDs that may get a name once this one gives its names up. */
  waitingFor(key: string): string[] {
    const group = this.#accepted.get(key)?.group;
    return [...this.#waiting].filter((other) => other !== key && this.#accepted.get(other)?.group === group);
  }

  /** The names that other CRDs of the group have. */
  ofOthers(group: string, key: string): UsedNames {
    const isTaken = (sort: string) => (name: string) => {
      const users = this.#users.get(`${group} ${sort} ${name}`);
      return users !== undefined && users.size > (users.has(key) ? 1 : 0);
    };
    return { isResource: isTaken("resource"), isKind: isTaken("kind") };
  }

  #release(name: string, key: string): void {
    const users = this.#users.get(name);
    users?.delete(key);
    if (users?.size === 0) this.#users.delete(name);
  }
}

function usedNames({ group, names }: Accepted): string[] {
  const { plural, singular, shortNames, kind, listKind } = names;
  return [
    ...[plural, singular, ...shortNames].filter((name) => name !== "").map((name) => `${group} resource ${name}`),
    ...[kind, listKind].filter((name) => name !== "").map((name) => `${group} kind ${name}`),
  ];
}

export interface UsedNames {
  isResource(name: string): boolean;
  isKind(name: string): boolean;
}

export function groupOf(json: JsonObject): string {
  const group = isObject(json["spec"]) ? json["spec"]["group"] : undefined;
  return typeof group === "string" ? group : "";
}

function acceptedNames(json: JsonObject): DefinitionNames {
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
  const accept = (name: string, before: string, isTaken: (name: string) => boolean, reason: string): string => {
    if (name === before || !isTaken(name)) return name;
    conflict = { reason, message: inUse(name) };
    return before;
  };
  const plural = accept(wanted.plural, accepted.plural, used.isResource, "PluralConflict");
  const singular = accept(wanted.singular, accepted.singular, used.isResource, "SingularConflict");
  const taken = wanted.shortNames.filter((name) => !accepted.shortNames.includes(name) && used.isResource(name));
  if (taken.length > 0) conflict = { reason: "ShortNamesConflict", message: aggregate(taken.map(inUse)) };
  const shortNames = taken.length > 0 ? accepted.shortNames : wanted.shortNames;
  const kind = accept(wanted.kind, accepted.kind, used.isKind, "KindConflict");
  const listKind = accept(wanted.listKind, accepted.listKind, used.isKind, "ListKindConflict");
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
