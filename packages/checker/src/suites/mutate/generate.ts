/** Writes the cases that are missing: for each validation one request that it refuses, and one that it accepts. */
import path from "node:path";
import { isArray, isObject, type JsonObject, newObject } from "@portcullis/engine/internal/value/json";
import { textsOf } from "@portcullis/engine/internal/value/read";
import { withMember } from "@portcullis/engine/internal/value/rewrite";
import { isPolicyObject } from "../../policy/policy-objects.ts";
import type { ExpressionCoverage } from "../coverage.ts";
import { bindingFor, isBinding, isPolicy, nameOf } from "../formats/third-party.ts";
import type { PlacedSuite } from "../suite.ts";
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
}

/** The policies of a suite, and where a file in a folder finds them. */
export function testedBy(suite: PlacedSuite, folder: string): Tested {
  const objects = [
    ...new Set(suite.cases.flatMap(({ subject }) => (subject.type === "request" ? subject.objects : []))),
  ];
  return { objects, reference: referenceOf(suite, objects, folder) };
}

function referenceOf({ document, file }: PlacedSuite, objects: readonly JsonObject[], folder: string): JsonObject {
  const reference = newObject();
  const paths = textsOf(document.object["policies"]);
  if (document.object["kind"] === "TestSuite" || document.object["kind"] === "PolicySuite") {
    reference["policies"] = paths.map((each) => relativePath(folder, path.resolve(path.dirname(file), each)));
    if (document.object["with"] !== undefined) reference["with"] = document.object["with"];
  } else reference["with"] = objects.filter(isPolicyObject);
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
  return { suite: tests.length === 0 ? undefined : suiteOf(reference, tests), cases: tests.length, notes };
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
