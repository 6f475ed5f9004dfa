/** All requirements of one node, and pure proofs about nodes inside combinators. */
import { newSchema, type Structural } from "../../schema/structural.ts";
import { isObject, type JsonObject, type JsonValue, newObject } from "../../value/json.ts";
import { withMember, withoutMember } from "../../value/rewrite.ts";
import { effectsBelow, isPresenceStable } from "../effects.ts";
import { type NodePair, undeclared } from "../pairs.ts";
import { VALUE_KEYWORDS } from "../prove/keyword-formula.ts";
import type { Prover } from "../prove/prove.ts";
import { isSeenAlike, keepsDroppedNulls } from "../prove/reading.ts";
import type { Sampler } from "../witness/sample.ts";
import { listObligations, objectsWithNew, sizeObligations } from "./collection.ts";
import { combinatorObligations } from "./combinator.ts";
import { enumObligations } from "./enum.ts";
import { assortedTexts } from "./formats.ts";
import { exampleOf, type Kind, kindsOf } from "./kinds.ts";
import { numberObligations } from "./number.ts";
import { conjuncts, holds, type Obligation, open, type Proof, triedAll } from "./proof.ts";
import { textObligations } from "./string.ts";

/** Keywords that decide which values the other keywords see. */
const TYPING: readonly string[] = ["type", "format", "x-kubernetes-int-or-string"];

/** What the new node requires, unless the old node had the same requirement for the same data. */
export function nodeObligations(pair: NodePair, sampler: Sampler, prover: Prover): Obligation[] {
  const { old, new: next, changed } = pair;
  const isRetyped = changed.some((keyword) => TYPING.includes(keyword));
  const isRoot = pair.path.length === 0;
  const effects = effectsBelow(pair);
  const mayHaveNew = !prover.isStored && hasNewMembers(pair);
  const addsMembers = effects.addsMembers || mayHaveNew;
  const isOtherType = isRoot && prover.changedType.size > 0;
  const isSame = isSeenAlike(old, next) && !prover.losesStatus && !isOtherType && !mayHaveNew;
  const isAsked = (keyword: string): boolean => {
    if (isRetyped || changed.includes(keyword)) return true;
    if (keyword === "minProperties") return effects.dropsMembers || (isRoot && prover.losesStatus);
    if (keyword === "maxProperties") return addsMembers;
    return WHOLE.includes(keyword) && !isSame;
  };
  const kinds = reachableKinds(pair, sampler.check.minor);
  const scalars = [
    ...typeObligations(pair, kinds, sampler),
    ...numberObligations(old, next, kinds, sampler.check),
    ...textObligations(old, next, kinds, sampler.check),
    ...enumObligations(old, next, kinds, sampler),
    ...listObligations(old, next, kinds, sampler),
    ...sizeObligations(old, next, kinds, sampler, { dropsMembers: effects.dropsMembers, addsMembers, isRoot }),
    ...combinatorObligations(pair, sampler),
  ];
  const asked = scalars.filter(({ keyword }) => isAsked(keyword) || isAsked(MATES[keyword] ?? keyword));
  const found = mayHaveNew ? asked.map((each) => withNewMembers(each, pair, sampler)) : asked;
  return [
    ...[...found, ...requiredObligations(pair, kinds, sampler, prover)].map((each) => proved(each, pair, prover)),
    ...defaultObligations(pair, kinds, sampler),
    ...nullObligations(pair),
    ...embeddedObligations(pair, sampler),
    ...keyObligations(pair, kinds, sampler, prover),
  ];
}

/** Whether a manifest may have members that the old schema drops and the new one keeps. */
function hasNewMembers({ old, new: next, added }: NodePair): boolean {
  return added.length > 0 || (undeclared(old) === undefined && undeclared(next) !== undefined);
}

/** Also tries manifests with members that the old schema drops. */
function withNewMembers(obligation: Obligation, { old, new: next }: NodePair, sampler: Sampler): Obligation {
  if (!WHOLE.includes(obligation.keyword) && obligation.keyword !== "maxProperties") return obligation;
  const candidates = function* (): Generator<JsonValue> {
    yield* obligation.candidates();
    yield* objectsWithNew(old, next, sampler);
  };
  return { ...obligation, candidates };
}

/** Keywords that depend on everything below the node. */
const WHOLE: readonly string[] = ["enum", "x-kubernetes-list-type", "allOf", "anyOf", "oneOf", "not"];

/** Uses the prover for the keywords it supports, unless every value was tried. */
function proved(obligation: Obligation, { path }: NodePair, prover: Prover): Obligation {
  const { keyword, detail, proof } = obligation;
  if (!VALUE_KEYWORDS.includes(keyword) || (proof.verdict === "holds" && proof.isExhaustive === true))
    return obligation;
  const { isProved, isSpent, model } = prover.keyword(path, keyword, detail);
  const reason = proof.verdict === "open" ? proof.reason : "no-witness";
  return { ...obligation, model, proof: isProved ? holds(FOLLOWS) : open(isSpent ? "budget" : reason) };
}

const FOLLOWS = "it follows from what the old schema and its rules require";

/** Keywords that are checked together. */
const MATES: Readonly<Record<string, string>> = {
  minimum: "exclusiveMinimum",
  maximum: "exclusiveMaximum",
  exclusiveMinimum: "minimum",
  exclusiveMaximum: "maximum",
  "x-kubernetes-list-type": "x-kubernetes-list-map-keys",
};

/** A null that the new schema does not allow never reaches it, except as an item of a list. */
function reachableKinds({ old, new: next, path }: NodePair, minor: number): ReadonlySet<Kind> {
  const kinds = new Set(kindsOf(old, minor));
  if (path.at(-1)?.kind !== "item" && !next.nullable) kinds.delete("null");
  return kinds;
}

function typeObligations(pair: NodePair, kinds: ReadonlySet<Kind>, sampler: Sampler): Obligation[] {
  const allowed = kindsOf(pair.new, sampler.check.minor);
  const lost = [...kinds].filter((kind) => !allowed.has(kind));
  const proof: Proof = lost.length === 0 ? holds("every type allowed before is allowed") : open();
  const isNull = lost.length === 1 && lost[0] === "null";
  const isRetyped = pair.changed.includes("type") || pair.changed.includes("x-kubernetes-int-or-string");
  // A format accepts strings and lists that the type alone would not, so dropping it can refuse values.
  const keyword = isNull ? "nullable" : isRetyped || !pair.changed.includes("format") ? "type" : "format";
  const candidates = (): JsonValue[] => [
    ...lost.map(exampleOf),
    ...sampler.samples(pair.old, 10),
    ...conjuncts(pair.old).flatMap((node) => node.enum ?? []),
  ];
  const types: Obligation = { keyword, detail: "", proof, candidates };
  return lost.length === 0 && !pair.changed.includes("type") ? [] : [types];
}

function requiredObligations(pair: NodePair, kinds: ReadonlySet<Kind>, sampler: Sampler, prover: Prover): Obligation[] {
  if (!kinds.has("object")) return [];
  const { old, new: next } = pair;
  const mayLose = (name: string): boolean => pair.path.length === 0 && name === "status" && prover.losesStatus;
  const asked = [...new Set(next.required)].filter(
    (name) => !old.required.includes(name) || !isPresenceStable(pair, name) || mayLose(name),
  );
  return asked.map((name) => ({
    keyword: "required",
    detail: name,
    proof: proveRequired(pair, name),
    candidates: () => objectsWithout(old, name, sampler),
  }));
}

/** The API server does not check everything about a default; one that the schema refuses breaks every object without it. */
function defaultObligations(pair: NodePair, kinds: ReadonlySet<Kind>, sampler: Sampler): Obligation[] {
  if (!kinds.has("object") || pair.isSame) return [];
  const refused = [...pair.new.properties].filter(
    ([, property]) => property.default !== undefined && !sampler.check.accepts(property, property.default),
  );
  const isNew = (name: string): boolean => !isPresenceStable(pair, name) || pair.added.includes(name);
  return refused
    .filter(([name]) => isNew(name))
    .map(([name]) => ({
      keyword: "default",
      detail: name,
      proof: open(),
      candidates: () => objectsWithout(pair.old, name, sampler),
    }));
}

/** A null in a list that the default replaced, and nothing replaces now. In a map it is dropped. */
function nullObligations({ old, new: next, path }: NodePair): Obligation[] {
  const isRefused = old.default !== undefined && !old.nullable && next.default === undefined && !next.nullable;
  if (path.at(-1)?.kind !== "item" || !isRefused) return [];
  return [{ keyword: "nullable", detail: "", proof: open(), isInPlace: true, candidates: () => [null] }];
}

/** An object with as many members as there are names cannot miss one. */
function proveRequired(pair: NodePair, name: string): Proof {
  const { old } = pair;
  const least = Math.max(0, ...conjuncts(old).map(({ minProperties }) => minProperties ?? 0));
  const isForced = undeclared(old) === undefined && !old.embeddedResource && old.properties.size > 0;
  const isAll = isForced && pair.path.length > 0 && least >= old.properties.size;
  return isAll && old.properties.has(name) && isPresenceStable(pair, name)
    ? triedAll("every object had all its fields")
    : open();
}

function* objectsWithout(old: Structural, name: string, sampler: Sampler): Generator<JsonValue> {
  const samples = sampler.samples(old, 8).filter(isObject);
  for (const object of samples) yield withoutMember(object, name);
  if (old.properties.get(name)?.nullable === true) for (const object of samples) yield withMember(object, name, null);
  yield newObject();
}

function embeddedObligations({ old, new: next }: NodePair, sampler: Sampler): Obligation[] {
  if (!next.embeddedResource || old.embeddedResource) return [];
  const candidates = () => [...sampler.samples(old, 8), newObject()];
  return [{ keyword: "x-kubernetes-embedded-resource", detail: "", proof: open(), candidates }];
}

const ANY_KEY: Structural = newSchema({ type: "string" });

/** Keys of a map are strings with their own schema and rules. */
function keyObligations(pair: NodePair, kinds: ReadonlySet<Kind>, sampler: Sampler, prover: Prover): Obligation[] {
  const { old, new: next, changed } = pair;
  const { propertyNames } = next;
  const hasOtherKeys = changed.includes("additionalProperties") || pair.removed.length > 0 || pair.added.length > 0;
  // A key whose null was dropped was never checked.
  const keepsNulls = keepsDroppedNulls(old, next);
  const isAsked = changed.includes("x-kubernetes-property-names") || hasOtherKeys || keepsNulls;
  if (propertyNames === undefined || !kinds.has("object") || !isAsked) return [];
  const before = newSchema({ ...(old.propertyNames ?? ANY_KEY), type: "string" });
  const after = newSchema({ ...propertyNames, type: "string" });
  const isProved = old.additionalProperties !== undefined && prover.key(keepsNulls ? ANY_KEY : before, after);
  const proof = isProved ? holds("every key allowed before is allowed") : open();
  const value = (old.additionalProperties?.schema && sampler.first(old.additionalProperties.schema)) ?? "a";
  const candidates = function* (): Generator<JsonObject> {
    for (const key of keyCandidates(before, after, sampler)) yield Object.assign(newObject(), { [key]: value });
    if (!keepsNulls) return;
    for (const key of keyCandidates(ANY_KEY, after, sampler)) yield Object.assign(newObject(), { [key]: null });
  };
  return [{ keyword: "x-kubernetes-property-names", detail: "", proof, candidates }];
}

function* keyCandidates(before: Structural, after: Structural, sampler: Sampler): Generator<string> {
  const kinds: ReadonlySet<Kind> = new Set<Kind>(["string"]);
  const asked = [
    ...textObligations(before, after, kinds, sampler.check),
    ...enumObligations(before, after, kinds, sampler),
  ];
  const literals = after.validations.flatMap(({ rule }) =>
    [...rule.matchAll(/'([^']*)'|"([^"]*)"/g)].map(([, one, two]) => one ?? two ?? ""),
  );
  const all = [
    ...literals,
    ...asked.flatMap((each) => [...each.candidates()]),
    ...sampler.samples(before, 12),
    ...assortedTexts(),
  ];
  for (const key of all) if (typeof key === "string") yield key;
}
