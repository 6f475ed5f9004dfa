/** `enum`: every kind of value that reaches it is checked, including null. */
import type { Structural } from "../../schema/structural.ts";
import type { JsonValue } from "../../value/json.ts";
import type { Sampler } from "../witness/sample.ts";
import { sampleIntegers } from "../witness/sample-scalars.ts";
import { assortedTexts } from "./formats.ts";
import { exampleOf, type Kind } from "./kinds.ts";
import { conjuncts, holds, type Obligation, open, type Proof } from "./proof.ts";
import { proveListed } from "./string.ts";

export function enumObligations(
  old: Structural,
  next: Structural,
  kinds: ReadonlySet<Kind>,
  sampler: Sampler,
): Obligation[] {
  const allowed = next.enum;
  if (allowed === undefined || allowed.length === 0) return [];
  const { check } = sampler;
  const texts = allowed.filter((each) => typeof each === "string");
  const asked = kinds.has("string") ? proveListed(old, texts, check) : { proof: holds("no texts") };
  const others = otherValues(old, kinds);
  const refused = others?.find((value) => check.accepts(old, value) && !check.accepts(next, value));
  const isShown = asked.proof.verdict === "holds" && others !== undefined && refused === undefined;
  const proof: Proof = isShown ? holds("every value allowed before is listed") : openProof(asked.proof);
  const extra: readonly JsonValue[] = asked.text === undefined ? [] : [asked.text];
  const kindsLeft = [...kinds].map(exampleOf);
  const listed = conjuncts(old).flatMap((node) => node.enum ?? []);
  const candidates = (): JsonValue[] => [
    ...(refused === undefined ? [] : [refused]),
    ...extra,
    ...listed,
    ...sampler.samples(old, 8),
    ...kindsLeft,
    ...sampleIntegers(conjuncts(old)),
    ...assortedTexts(),
  ];
  return [{ keyword: "enum", detail: "", proof, candidates }];
}

function openProof(proof: Proof): Proof {
  return proof.verdict === "open" ? proof : open();
}

/** All values that are not strings, if they are few: those of the old enum, and the booleans. Null is always tried. */
function otherValues(old: Structural, kinds: ReadonlySet<Kind>): JsonValue[] | undefined {
  const values: JsonValue[] = kinds.has("null") ? [null] : [];
  if (kinds.has("boolean")) values.push(true, false);
  const rest = [...kinds].filter((kind) => kind !== "null" && kind !== "boolean" && kind !== "string");
  if (rest.length === 0) return values;
  const listed = conjuncts(old).find((node) => node.enum !== undefined && node.enum.length > 0)?.enum;
  if (listed === undefined || kinds.has("fraction")) return undefined;
  return [...values, ...listed.filter((each) => typeof each !== "string")];
}
