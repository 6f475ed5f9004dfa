/**
 * Suites of Gatekeeper's gator (`test.gatekeeper.sh`, `kind: Suite`) whose templates are ValidatingAdmissionPolicies, or
 * ConstraintTemplates with K8sNativeValidation.
 *
 * The template is the policy, the constraint its binding and params. Templates in Rego are skipped.
 */
import path from "node:path";
import { isNumber, isObject, type JsonObject } from "@portcullis/engine/internal/value/json";
import { asFloat } from "@portcullis/engine/internal/value/number";
import { UnsupportedError, UsageError } from "../../input/usage-error.ts";
import { Fields } from "../../policy/fields.ts";
import { convertLanguages } from "../../policy/languages/conversion.ts";
import { loadObject, loadObjects } from "../../policy/load.ts";
import * as messages from "../../policy/messages.ts";
import type { RequestParts } from "../../policy/request.ts";
import { fromReview } from "../../policy/request-file.ts";
import type { ViolationCount } from "../expectation.ts";
import { patternMatcher } from "../matcher.ts";
import { readCases, type SkippedCase, type Suite, type SuiteCase } from "../suite.ts";
import { isPolicy, nameOf, onlyPolicy } from "./third-party.ts";

export function isGatorSuite({ apiVersion, kind }: JsonObject): boolean {
  return kind === "Suite" && String(apiVersion).startsWith("test.gatekeeper.sh/");
}

export function readGatorSuite(json: JsonObject, file: string): Suite {
  const fields = new Fields(json, file);
  fields.pass("apiVersion", "kind", "metadata");
  const isSkipped = fields.flag("skip") === true;
  const tests = fields.each("tests");
  fields.finish();
  const name = nameOf(json) || path.basename(path.dirname(file));
  const read = (test: Fields) => readTest(test, file, isSkipped);
  return { file, name, ...readCases(tests, read), isThirdParty: true };
}

const skippedCase = (fields: Fields, name: string): SkippedCase => ({ name, path: fields.path, reason: "" });

function readTest(test: Fields, file: string, isSuiteSkipped: boolean): (SuiteCase | SkippedCase)[] {
  const folder = path.dirname(file);
  const name = test.text("name") ?? test.place;
  const template = loadObjects(test.texts("template"), folder);
  const constraint = loadObjects(test.texts("constraint"), folder);
  const cases = test.each("cases");
  const isSkipped = test.flag("skip") === true || isSuiteSkipped;
  for (const field of ["expansion", "invalid"]) {
    if (test.any(field) !== undefined)
      throw new UnsupportedError(messages.unsupportedFeature(file, field, "cannot be tested here"));
  }
  test.finish();
  const converted = convertLanguages([...template, ...constraint]);
  const policy = converted.objects.find(isPolicy);
  if (policy === undefined) {
    const [loss] = converted.losses;
    if (loss !== undefined) throw new UnsupportedError(messages.unsupportedFeature(file, loss.path, loss.message));
    throw new UnsupportedError(messages.unsupportedPolicy(file, String(template[0]?.["kind"] ?? "the template")));
  }
  if (isSkipped) return cases.map((each) => skippedCase(each, `${name} ${each.text("name") ?? each.place}`));
  const policyObjects = onlyPolicy(nameOf(policy), converted.objects, file);
  return cases.map((each) => readCase(each, name, policyObjects, folder));
}

function readCase(
  fields: Fields,
  test: string,
  policyObjects: readonly JsonObject[],
  folder: string,
): SuiteCase | SkippedCase {
  const name = `${test} ${fields.text("name") ?? fields.place}`;
  const inventory = loadObjects(fields.texts("inventory"), folder);
  const request = readObject(fields, folder);
  const violations = fields.each("assertions").map(readAssertion);
  const isSkipped = fields.flag("skip") === true;
  fields.finish();
  if (isSkipped) return skippedCase(fields, name);
  if (violations.length === 0) throw new UsageError(messages.notOf(`${fields.place}: assertions`, "a non-empty list"));
  const objects = inventory.length === 0 ? policyObjects : [...policyObjects, ...inventory];
  return { name, path: fields.path, subject: { type: "request", objects, request }, expect: { violations } };
}

function readObject(fields: Fields, folder: string): RequestParts {
  const object = loadObject(fields.text("object") ?? "", `${fields.place}: object`, folder);
  const review = object["request"];
  return object["kind"] === "AdmissionReview" && isObject(review) ? fromReview(review, fields.place) : { object };
}

/** `violations: yes` means at least one, `no` none, a number exactly that many violations with a matching message. */
function readAssertion(fields: Fields): ViolationCount {
  const value = fields.any("violations") ?? true;
  const message = fields.text("message");
  fields.finish();
  const matcher = message === undefined || message === "" ? undefined : patternMatcher(message);
  if (isNumber(value) && asFloat(value) >= 0) return { min: asFloat(value), max: asFloat(value), message: matcher };
  const isNone = value === false || value === "no";
  if (!isNone && value !== true && value !== "yes") {
    throw new UsageError(messages.unknownExpectation(fields.place, String(value), ["yes", "no", "a number"]));
  }
  return { ...(isNone ? { min: 0, max: 0 } : { min: 1, max: Infinity }), message: matcher };
}
