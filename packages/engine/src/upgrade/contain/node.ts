/** All demands of one node, and pure proofs about nodes inside combinators. */
import { newSchema, type Structural } from "../../schema/structural.ts";
import { isObject, type JsonObject, type JsonValue, newObject } from "../../value/json.ts";
import { withMember, withoutMember } from "../../value/rewrite.ts";
import { effectsBelow, isPresenceStable } from "../effects.ts";
import { changedKeywords, type NodePair, pairNodes, undeclared } from "../pairs.ts";
import type { Sampler } from "../sample.ts";
import { listObligations, sizeObligations } from "./collection.ts";
import { combinatorObligations } from "./combinator.ts";
import { enumObligations } from "./enum.ts";
import { Propositions } from "./formula.ts";
import { exampleOf, type Kind, kindsOf } from "./kinds.ts";
import { numberObligations } from "./number.ts";
import { conjuncts, holds, type Obligation, open, type Proof } from "./proof.ts";
import { textObligations } from "./string.ts";

/** Keywords that decide what the others are asked about. */
const TYPING: readonly string[] = ["type", "format", "x-kubernetes-int-or-string"];

/** What the new node demands that the old one did not demand in the same words. */
export function nodeObligations(pair: NodePair, sampler: Sampler): Obligation[] {
  const { old, new: next, changed } = pair;
  const isRetyped = changed.some((keyword) => TYPING.includes(keyword));
  const effects = effectsBelow(pair);
  const isAsked = (keyword: string): boolean => {
    if (isRetyped || changed.includes(keyword)) return true;
    if (keyword === "minProperties") return effects.dropsMembers;
    return keyword === "maxProperties" && effects.addsMembers;
  };
  const kinds = reachableKinds(pair, sampler.check.minor);
  const scalars = [
    ...typeObligations(pair, kinds, sampler),
    ...numberObligations(old, next, kinds, sampler.check),
    ...textObligations(old, next, kinds, sampler.check),
    ...enumObligations(old, next, kinds, sampler),
    ...listObligations(old, next, kinds, sampler),
    ...sizeObligations(old, next, kinds, sampler, effects),
  ];
  return [
    ...scalars.filter(({ keyword }) => isAsked(keyword) || isAsked(MATES[keyword] ?? keyword)),
    ...requiredObligations(pair, kinds, sampler),
    ...defaultObligations(pair, kinds, sampler),
    ...combinatorObligations(pair, sampler, proveNode),
    ...embeddedObligations(pair, sampler),
    ...keyObligations(pair, kinds, sampler),
  ];
}

/** Keywords that ask together. */
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
  // A format lets texts and lists pass where the type would not: dropping it can refuse.
  const keyword = isNull ? "nullable" : isRetyped || !pair.changed.includes("format") ? "type" : "format";
  const candidates = (): JsonValue[] => [
    ...lost.map(exampleOf),
    ...sampler.samples(pair.old, 10),
    ...conjuncts(pair.old).flatMap((node) => node.enum ?? []),
  ];
  const types: Obligation = { keyword, detail: "", proof, candidates };
  return lost.length === 0 && !pair.changed.includes("type") ? [] : [types];
}

function requiredObligations(pair: NodePair, kinds: ReadonlySet<Kind>, sampler: Sampler): Obligation[] {
  if (!kinds.has("object")) return [];
  const { old, new: next } = pair;
  const propositions = new Propositions(pair, sampler.check.minor);
  const asked = [...new Set(next.required)].filter(
    (name) => !old.required.includes(name) || !isPresenceStable(pair, name),
  );
  return asked.map((name) => ({
    keyword: "required",
    detail: name,
    proof: proveRequired(pair, name, propositions),
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

/** Of every resource; without them nothing is stored. */
const ALWAYS_THERE: readonly string[] = ["apiVersion", "kind", "metadata"];

function proveRequired(pair: NodePair, name: string, propositions: Propositions): Proof {
  const { old, new: next } = pair;
  if (next.properties.get(name)?.default !== undefined) return holds("its default fills it in before it is demanded");
  if (pair.path.length === 0 && ALWAYS_THERE.includes(name)) return holds("every object has it");
  // As many members as there are names: none of them can be missing.
  const least = Math.max(0, ...conjuncts(old).map(({ minProperties }) => minProperties ?? 0));
  const isForced = undeclared(old) === undefined && old.properties.size > 0 && least >= old.properties.size;
  if (isForced && old.properties.has(name) && isPresenceStable(pair, name))
    return holds("every object had all its fields");
  const proof = propositions.prove(propositions.required([], name, "new"));
  return proof.verdict === "holds" ? proof : open();
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

/** Keys of a map are texts with a schema of their own. */
function keyObligations(
  { old, new: next, changed }: NodePair,
  kinds: ReadonlySet<Kind>,
  sampler: Sampler,
): Obligation[] {
  const { propertyNames } = next;
  if (propertyNames === undefined || !kinds.has("object") || !changed.includes("x-kubernetes-property-names"))
    return [];
  const before = newSchema({ ...(old.propertyNames ?? ANY_KEY), type: "string", format: "" });
  const pair = pairNodes(before, newSchema({ ...propertyNames, type: "string", format: "" }), sampler.check.minor);
  const inner = nodeObligations(pair, sampler);
  const proof =
    inner.find((each) => each.proof.verdict === "open")?.proof ?? holds("every key allowed before is allowed");
  const value = (old.additionalProperties?.schema && sampler.first(old.additionalProperties.schema)) ?? "a";
  const candidates = function* (): Generator<JsonObject> {
    for (const key of inner.flatMap((each) => [...each.candidates()])) {
      if (typeof key === "string") yield Object.assign(newObject(), { [key]: value });
    }
  };
  return [{ keyword: "x-kubernetes-property-names", detail: "", proof, candidates }];
}

/** Whether everything the first schema accepts is accepted by the second, by reasoning alone. */
function proveNode(old: Structural, next: Structural, sampler: Sampler, depth = 0): boolean {
  if (depth > 8) return false;
  const { minor } = sampler.check;
  const pair: NodePair = {
    path: [{ kind: "item" }],
    old,
    new: next,
    changed: changedKeywords(old, next, minor),
    isSame: false,
    children: [],
    removed: [],
    added: [],
    dropsKeys: false,
  };
  if (!nodeObligations(pair, sampler).every(({ proof }) => proof.verdict === "holds")) return false;
  if (next.validations.length > 0 || (next.additionalProperties !== undefined && next !== old)) return false;
  for (const [name, property] of next.properties) {
    const before = conjuncts(old).flatMap((node) => node.properties.get(name) ?? []);
    const own = before[0] ?? undeclared(old);
    if (own === undefined) continue;
    if (!proveNode(newSchema({ ...own, allOf: [...own.allOf, ...before.slice(1)] }), property, sampler, depth + 1))
      return false;
  }
  if (next.items === undefined) return true;
  return old.items !== undefined && proveNode(old.items, next.items, sampler, depth + 1);
}
