/** Writes the cases that are missing: for each validation and rule one write that it refuses, and one that it accepts. */
import path from "node:path";
import { isArray, isObject, type JsonObject, newObject } from "@portcullis/engine/internal/value/json";
import { textsOf } from "@portcullis/engine/internal/value/read";
import { withMember } from "@portcullis/engine/internal/value/rewrite";
import { isPolicyObject } from "../../policy/policy-objects.ts";
import type { ExpressionCoverage } from "../coverage.ts";
import { bindingFor, isBinding, isPolicy, nameOf } from "../formats/third-party.ts";
import type { PlacedSuite } from "../suite.ts";
import { generateRuleCases, type RuleCases } from "./generate-rules.ts";
import type { Mutant } from "./mutants.ts";
import { isCrd, noticesMutant, objectsOf, passingCases } from "./run-mutants.ts";
import { type SearchOptions, searchCases } from "./search.ts";

export interface Generated {
  /** The suite, in our format; undefined if nothing is missing. */
  readonly suite: JsonObject | undefined;
  readonly cases: number;
  /** What was searched for and not found. */
  readonly notes: readonly string[];
}

export interface Tested {
  readonly objects: readonly JsonObject[];
  /** How the generated suite refers to the objects. */
  readonly reference: JsonObject;
  /** The suite that tests them, if there is one. */
  readonly suite?: PlacedSuite;
}

/** The policies and CRDs of a suite, and where a file in a folder finds them. */
export function testedBy(suite: PlacedSuite, folder: string): Tested {
  const objects = [...new Set(suite.cases.flatMap(objectsOf))];
  return { objects, reference: referenceOf(suite, objects, folder), suite };
}

function referenceOf({ document, file }: PlacedSuite, objects: readonly JsonObject[], folder: string): JsonObject {
  const reference = newObject();
  if (document.object["kind"] === "TestSuite" || document.object["kind"] === "PolicySuite") {
    for (const name of ["policies", "crds"]) {
      const paths = textsOf(document.object[name]);
      if (paths.length > 0)
        reference[name] = paths.map((each) => relativePath(folder, path.resolve(path.dirname(file), each)));
    }
    if (document.object["with"] !== undefined) reference["with"] = document.object["with"];
  } else reference["with"] = objects.filter((each) => isPolicyObject(each) || isCrd(each));
  return reference;
}

export function relativePath(folder: string, file: string): string {
  return path.relative(path.resolve(folder), path.resolve(file)).split(path.sep).join("/");
}

export async function generateCases(
  tested: Tested,
  coverage: readonly ExpressionCoverage[],
  options: SearchOptions,
): Promise<Generated> {
  const requests = await generateRequests(tested, coverage, options);
  const writes = await generateRuleCases(tested.objects, await noticing(tested, options), options);
  const tests = [...requests.tests, ...writes.tests];
  const suite = tests.length === 0 ? undefined : suiteOf(requests.reference, tests);
  return { suite, cases: tests.length, notes: [...requests.notes, ...writes.notes] };
}

/** Whether a case of the suite notices a mutant; without a suite none does. */
async function noticing({ suite }: Tested, { context }: SearchOptions): Promise<(mutant: Mutant) => Promise<boolean>> {
  if (suite === undefined) return () => Promise.resolve(false);
  const passing = await passingCases(suite, context);
  return (mutant) => noticesMutant(mutant, suite, passing, context);
}

interface RequestCases extends RuleCases {
  readonly reference: JsonObject;
}

async function generateRequests(
  tested: Tested,
  coverage: readonly ExpressionCoverage[],
  options: SearchOptions,
): Promise<RequestCases> {
  const { objects, reference } = bound(tested);
  const tests: JsonObject[] = [];
  const notes: string[] = [];
  for (const policy of objects.filter(isPolicy)) {
    for (const [index] of validationsOf(policy).entries()) {
      const seen = coverage.find((each) => each.policy === nameOf(policy) && each.place === `validations[${index}]`);
      const [needsRefused, needsAccepted] = [(seen?.false ?? 0) === 0, (seen?.true ?? 0) === 0];
      if (!needsRefused && !needsAccepted) continue;
      const found = await searchCases(objects, policy, index, options);
      for (const [isNeeded, search, what] of [
        [needsRefused, found.refused, "refuses"],
        [needsAccepted, found.accepted, "accepts"],
      ] as const) {
        if (!isNeeded || search.type === "equivalent") continue;
        if (search.type === "case") tests.push(search.test);
        else notes.push(`${nameOf(policy)} validations[${index}]: no request found that it ${what}: ${search.why}`);
      }
    }
  }
  return { reference, tests, notes };
}

/** A policy without a binding gets one that denies. */
function bound({ objects, reference }: Tested): Tested {
  const names = new Set(objects.filter(isBinding).map(({ spec }) => (isObject(spec) ? spec["policyName"] : undefined)));
  const missing = objects
    .filter((each) => isPolicy(each) && !names.has(nameOf(each)))
    .map((each) => bindingFor(nameOf(each)));
  if (missing.length === 0) return { objects, reference };
  const others = isArray(reference["with"]) ? reference["with"] : [];
  return { objects: [...objects, ...missing], reference: withMember(reference, "with", [...others, ...missing]) };
}

function validationsOf({ spec }: JsonObject): readonly unknown[] {
  return isObject(spec) && isArray(spec["validations"]) ? spec["validations"] : [];
}

function suiteOf(reference: JsonObject, tests: readonly JsonObject[]): JsonObject {
  const suite = newObject();
  suite["apiVersion"] = "test.portcullis.dev/v1";
  suite["kind"] = "TestSuite";
  for (const [name, value] of Object.entries(reference)) suite[name] = value;
  suite["tests"] = [...tests];
  return suite;
}
