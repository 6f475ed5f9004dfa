/** One random pair as an author may write it: proofs are attacked again with other random numbers. */
import { formatFieldError } from "@portcullis/engine/internal/field/format";
import type { CustomResource } from "@portcullis/engine/internal/review/custom-resource/custom-resource";
import { EMPTY_SCHEMA } from "@portcullis/engine/internal/schema/structural";
import { Attack } from "@portcullis/engine/internal/upgrade/attack/attack";
import type { Change } from "@portcullis/engine/internal/upgrade/change";
import { compareResources } from "@portcullis/engine/internal/upgrade/compare";
import { transitionRules } from "@portcullis/engine/internal/upgrade/contain/rule-node";
import { pairNodes } from "@portcullis/engine/internal/upgrade/pairs";
import { LocalCheck } from "@portcullis/engine/internal/upgrade/witness/local-check";
import { isQuirk } from "@portcullis/engine/internal/upgrade/witness/quirk";
import { Replay } from "@portcullis/engine/internal/upgrade/witness/replay";
import { Sampler } from "@portcullis/engine/internal/upgrade/witness/sample";
import { canonicalJson } from "@portcullis/engine/internal/value/text";
import { Random } from "../apply/random.ts";
import { randomChainPair } from "./author-chains.ts";
import { type AuthorPair, randomAuthorPair } from "./author-pairs.ts";
import { resourceOfRoot, wrongWitness } from "./trial.ts";

export interface Refutation {
  readonly pair: AuthorPair;
  readonly changes: readonly Change[];
  readonly complaints: readonly string[];
}

/** Where random pairs come from. */
export const AUTHORS = { edits: randomAuthorPair, chains: randomChainPair } as const;

/** Undefined if the seed does not give two CRDs that the API server accepts. */
export function runRefuter(
  seed: number,
  tries: number,
  author: keyof typeof AUTHORS = "edits",
): Refutation | undefined {
  const pair = AUTHORS[author](new Random(seed));
  const [old, next] = [resourceOfRoot(pair.old, pair.status[0]), resourceOfRoot(pair.new, pair.status[1])];
  if (old === undefined || next === undefined) return undefined;
  const changes = compareResources(old, next, { minor: 36, budget: 600 });
  const replay = new Replay(old, next);
  const validity = changes.filter(({ axis }) => axis === "validity");
  const complaints = [
    ...validity.flatMap((change) => wrongWitness(change, replay)),
    ...validity.filter(({ isContradicted }) => isContradicted === true).map(contradiction),
    ...(validity.every(({ verdict }) => verdict === "safe") ? contradicted(old, next, seed, tries) : []),
  ];
  return { pair, changes, complaints };
}

/** The verdict about all values together. */
export function worstVerdict({ changes }: Refutation): "safe" | "unsafe" | "unknown" {
  const verdicts = changes.filter(({ axis }) => axis === "validity").map(({ verdict }) => verdict);
  return (["unsafe", "unknown"] as const).find((verdict) => verdicts.includes(verdict)) ?? "safe";
}

function contradiction({ keyword, detail, witness }: Change): string {
  return `proved, and refuted: ${keyword} ${detail}: ${witness === undefined ? "" : canonicalJson(witness.object)}: ${witness?.errors.join("; ")}`;
}

/** If every change is called safe, no object may be refused. */
function contradicted(old: CustomResource, next: CustomResource, seed: number, tries: number): string[] {
  const sampler = new Sampler(new LocalCheck(36));
  const root = pairNodes(old.schema ?? EMPTY_SCHEMA, next.schema ?? EMPTY_SCHEMA, 36);
  const attack = new Attack(new Replay(old, next), sampler);
  const hasTransitions = !transitionRules(next.rules, []).next().done;
  for (const { object, before, errors } of attack.run(root, { tries, hasTransitions, seed: String(seed) })) {
    const sides = { old: old.schema, new: next.schema };
    const objects = [object, ...(before === undefined ? [] : [before])];
    if (objects.some((each) => isQuirk(each, sides, errors, sampler.check))) continue;
    return [
      `called safe, but ${canonicalJson(object)} (before: ${before === undefined ? "-" : canonicalJson(before)}) is refused: ${errors.map(formatFieldError).join("; ")}`,
    ];
  }
  return [];
}
