/** Searches for requests on which two sets of policies disagree, and writes them as cases. */

import type { AdmissionAttributes } from "@portcullis/engine/internal/policy/attributes";
import { type ComparedSide, decideDirection } from "@portcullis/engine/internal/prove/compare-policies";
import { verdictOf, type Witness } from "@portcullis/engine/internal/prove/witness";
import type { EngineOptions } from "@portcullis/engine/internal/review/custom-resource/custom-resource";
import { isArray, isObject, type JsonObject, newObject } from "@portcullis/engine/internal/value/json";
import { metaOf } from "@portcullis/engine/internal/value/metadata";
import { withMember } from "@portcullis/engine/internal/value/rewrite";
import { UsageError } from "../../input/usage-error.ts";
import type { KindCatalog } from "../../policy/kinds.ts";
import { readmitted } from "../../prove/proof-admit.ts";
import { proofInputs } from "../../prove/proof-inputs.ts";
import { denialLine, record } from "../../prove/proof-report.ts";
import { minimalRequest } from "../../replay/report/minimal.ts";
import { withoutServerFields } from "../stored.ts";
import type { SuiteContext } from "../subjects/context.ts";
import type { Mutant } from "./mutants.ts";

export type Search =
  | { readonly type: "case"; readonly test: JsonObject }
  | { readonly type: "equivalent" }
  | { readonly type: "none"; readonly why: string };

export interface SearchOptions {
  readonly context: SuiteContext;
  readonly seconds: number;
  readonly now: () => number;
}

/** A case that the original passes and the mutant does not. */
export async function searchDifference(
  original: readonly JsonObject[],
  mutated: readonly JsonObject[],
  { name, path }: Mutant,
  options: SearchOptions,
): Promise<Search> {
  const policy = original.find((each) => each["kind"] === "ValidatingAdmissionPolicy" && nameOf(each) === name);
  if (policy === undefined) return { type: "none", why: "only validating policies are searched" };
  const title = `${name} ${path}`;
  const sides = await sidesOf([original, mutated], options);
  if (typeof sides === "string") return { type: "none", why: sides };
  const { old, next, compare } = sides;
  const denied = decideDirection(old, next, compare);
  if (denied.verdict === "some") return { type: "case", test: caseOf(reduced(denied.witness, sides), old, title) };
  const allowed = decideDirection(next, old, compare);
  if (allowed.verdict === "some") return { type: "case", test: caseOf(reduced(allowed.witness, sides), old, title) };
  if (denied.verdict === "none" && allowed.verdict === "none") return { type: "equivalent" };
  return {
    type: "none",
    why: denied.verdict === "unknown" ? denied.why : allowed.verdict === "unknown" ? allowed.why : "",
  };
}

/** Requests on which two sets of policies disagree, at most one in each direction, with what the first decides. */
export async function witnessesBetween(
  first: readonly JsonObject[],
  second: readonly JsonObject[],
  options: SearchOptions,
): Promise<{ readonly shown: Shown; readonly allowed: boolean }[]> {
  const sides = await sidesOf([first, second], options);
  if (typeof sides === "string") return [];
  const denied = decideDirection(sides.old, sides.next, sides.compare);
  const allowed = decideDirection(sides.next, sides.old, sides.compare);
  return [
    ...(denied.verdict === "some" ? [{ shown: reduced(denied.witness, sides), allowed: false }] : []),
    ...(allowed.verdict === "some" ? [{ shown: reduced(allowed.witness, sides), allowed: true }] : []),
  ];
}

interface Sides {
  readonly old: ComparedSide;
  readonly next: ComparedSide;
  readonly kinds: KindCatalog;
}

/** A request, and how a client would write it. */
export interface Shown {
  readonly witness: Witness;
  readonly written: AdmissionAttributes;
}

/** The same difference with everything left out that it does not need: defaults above all. */
function reduced(witness: Witness, { old, next, kinds }: Sides): Shown {
  const { attributes } = witness;
  const whole = { witness, written: attributes };
  const served = kinds.ofResource(attributes.resource);
  if (served === undefined || attributes.subresource !== "" || attributes.operation === "CONNECT") return whole;
  const isAllowed = (side: ComparedSide, each: Witness): boolean =>
    verdictOf(side.policies, side.context, each).allowed;
  const wanted = isAllowed(old, witness);
  const differs = (each: Witness): boolean => isAllowed(old, each) === wanted && isAllowed(next, each) !== wanted;
  const isAlike = (each: AdmissionAttributes): boolean => {
    const admitted = readmitted(each, served);
    return admitted !== undefined && differs({ ...witness, attributes: admitted });
  };
  if (!isAlike(attributes)) return whole;
  const written = minimalRequest(attributes, isAlike);
  return { witness: { ...witness, attributes: readmitted(written, served) ?? attributes }, written };
}

async function sidesOf(given: readonly (readonly JsonObject[])[], { context, seconds, now }: SearchOptions) {
  try {
    const engine: EngineOptions = context.engine;
    const inputs = await proofInputs(given, [], { bindsAll: false, engine, now, seconds });
    const [old, next] = inputs.sides;
    if (old === undefined || next === undefined) throw new Error("there are two sides");
    const { kinds } = (await context.cluster(given[0] ?? [])).policies;
    return { old, next, compare: inputs.options, kinds };
  } catch (thrown) {
    if (thrown instanceof UsageError) return thrown.message;
    throw thrown;
  }
}

/** One refused and one accepted request for a validation; minimal, as far as the search goes. */
export async function searchCases(
  objects: readonly JsonObject[],
  policy: JsonObject,
  validation: number,
  options: SearchOptions,
): Promise<{ readonly refused: Search; readonly accepted: Search }> {
  const changed = (expression: string): readonly JsonObject[] =>
    objects.map((each) => (each === policy ? withValidation(policy, validation, expression) : each));
  const title = `${nameOf(policy)} validations[${validation}]`;
  return {
    // Refused by this validation alone, and accepted by all.
    refused: await oneDirection([objects, changed("true")], `${title} refuses`, options),
    accepted: await oneDirection([changed("false"), objects], `${title} accepts`, options),
  };
}

/** A request that the first denies and the second allows. The expectation is that of the policy in question. */
async function oneDirection(
  [denying, allowing]: readonly [readonly JsonObject[], readonly JsonObject[]],
  title: string,
  options: SearchOptions,
): Promise<Search> {
  const sides = await sidesOf([denying, allowing], options);
  if (typeof sides === "string") return { type: "none", why: sides };
  const found = decideDirection(sides.old, sides.next, sides.compare);
  if (found.verdict === "some") {
    const asked = title.endsWith("refuses") ? sides.old : sides.next;
    return { type: "case", test: caseOf(reduced(found.witness, sides), asked, title) };
  }
  return { type: "none", why: found.verdict === "unknown" ? found.why : "there is no such request" };
}

/** The policy with another expression. */
export function withValidation(policy: JsonObject, index: number, expression: string): JsonObject {
  const spec = isObject(policy["spec"]) ? policy["spec"] : newObject();
  const validations = isArray(spec["validations"]) ? spec["validations"] : [];
  const changed = validations.map((each, at) =>
    at === index && isObject(each) ? withMember(each, "expression", expression) : each,
  );
  return withMember(policy, "spec", withMember(spec, "validations", changed));
}

function nameOf({ metadata }: JsonObject): string {
  return isObject(metadata) && typeof metadata["name"] === "string" ? metadata["name"] : "";
}

/** A witness as a case of our format, with what the given policies decide. */
function caseOf({ witness, written: attributes }: Shown, side: ComparedSide, name: string): JsonObject {
  const { namespace, params } = witness;
  const verdict = verdictOf(side.policies, side.context, witness);
  const test = newObject();
  test["name"] = name;
  if (attributes.operation === "DELETE" || attributes.operation === "CONNECT") test["operation"] = attributes.operation;
  if (attributes.operation === "CONNECT" || attributes.subresource !== "") {
    const { group, version, resource } = attributes.resource;
    test["resource"] = group === "" ? resource : `${group}/${version}/${resource}`;
  }
  if (attributes.subresource !== "") test["subresource"] = attributes.subresource;
  if (attributes.object !== undefined) test["object"] = shown(attributes.object);
  if (attributes.oldObject !== undefined) test["oldObject"] = shown(attributes.oldObject);
  if (attributes.namespace !== "") test["namespace"] = namespaceOf(namespace) ?? attributes.namespace;
  const { name: user, groups } = attributes.userInfo;
  const extra = groups.filter((group) => group !== "system:authenticated");
  if (user !== "user" || extra.length > 0) test["user"] = userOf(user, extra);
  if (params.length > 0) test["params"] = [...params];
  test["expect"] = verdict.allowed ? (verdict.warnings.length > 0 ? "warn" : "allow") : "deny";
  if (!verdict.allowed) test["message"] = denialLine(verdict).replace(/^.*? denied request: /, "");
  return test;
}

/** Undefined if nothing but its name counts. */
function namespaceOf(namespace: JsonObject | undefined): JsonObject | undefined {
  if (namespace === undefined) return undefined;
  const { name, labels, annotations } = metaOf(namespace);
  const others = Object.keys(isObject(labels) ? labels : {}).filter((key) => key !== "kubernetes.io/metadata.name");
  if (others.length === 0 && annotations === undefined) return undefined;
  const metadata = record({ name, labels, annotations });
  return record({ apiVersion: "v1", kind: "Namespace", metadata });
}

function userOf(username: string, groups: readonly string[]): JsonObject {
  const user = newObject();
  user["username"] = username;
  if (groups.length > 0) user["groups"] = [...groups];
  return user;
}

function shown(object: JsonObject): JsonObject {
  return withoutServerFields(object, object);
}
