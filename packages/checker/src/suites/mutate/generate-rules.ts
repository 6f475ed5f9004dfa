/** Writes the cases that are missing for rules of CRDs: for each a write that it refuses, and one that it accepts. */
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { nameOf } from "../formats/third-party.ts";
import { refusedCrds } from "../subjects/writes.ts";
import { type Mutant, ruleMutants } from "./mutants.ts";
import { isCrd } from "./run-mutants.ts";
import type { Search, SearchOptions } from "./search.ts";
import { searchWrite } from "./search-crd.ts";

export interface RuleCases {
  readonly tests: readonly JsonObject[];
  /** What was searched for and not found. */
  readonly notes: readonly string[];
}

/** `notices` is whether the cases there are notice a mutant: then none is missing. */
export async function generateRuleCases(
  objects: readonly JsonObject[],
  notices: (mutant: Mutant) => Promise<boolean>,
  options: SearchOptions,
): Promise<RuleCases> {
  const tests: JsonObject[] = [];
  const notes: string[] = [];
  const add = (search: Search, { name, path }: Mutant, what: string): void => {
    if (search.type === "case") tests.push(search.test);
    else
      notes.push(`${name} ${path}: no write found that it ${what}${search.type === "none" ? `: ${search.why}` : ""}`);
  };
  for (const crd of objects.filter(isCrd)) {
    if (objects.some((each) => each !== crd && isCrd(each) && nameOf(each) === nameOf(crd))) {
      notes.push(`${nameOf(crd)}: nothing is generated for a CRD that exists in several forms`);
      continue;
    }
    for (const { wanted, what, operator, edit } of EDITS) {
      for (const mutant of ruleMutants(crd, operator, edit)) {
        const swapped = objects.map((each) => (each === crd ? mutant.mutated : each));
        if ((await refusedCrds(swapped, options.context)).length > 0 || (await notices(mutant))) continue;
        add(await searchWrite(objects, swapped, { mutant, wanted, what }, options), mutant, what);
      }
    }
  }
  return { tests, notes };
}

/** The rule stays in the text: a rule about transitions has to remain one. */
const EDITS = [
  { wanted: "deny", what: "refuses", operator: "never refuses", edit: (rule: string) => `(${rule}\n) || true` },
  { wanted: "allow", what: "accepts", operator: "always refuses", edit: (rule: string) => `(${rule}\n) && false` },
] as const;
