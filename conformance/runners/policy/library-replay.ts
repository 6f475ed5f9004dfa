/**
 * Runs recorded requests with the library instead of a server: created manifests are the cluster, and each further
 * write of an object that policies may see becomes a request to `evaluatePolicies`.
 *
 * Only what policies decide is compared: steps that were refused for other reasons, reads, and writes of policies
 * themselves are skipped.
 */

import { evaluateRequest } from "@portcullis/checker/internal/policy/evaluate-request";
import { policyCluster } from "@portcullis/checker/internal/policy/policy-cluster";
import type { RequestParts } from "@portcullis/checker/internal/policy/request";
import { makeUser } from "@portcullis/checker/internal/policy/user";
import { applyMergePatch } from "@portcullis/engine/internal/patch/merge-patch";
import { fromPlain } from "@portcullis/engine/internal/value/copy";
import { isObject, type JsonObject } from "@portcullis/engine/internal/value/json";
import { RECORDED_VERSION } from "../recorded-version.ts";
import type { Outcome, Step, Vector } from "../vectors/vector.ts";

type Json = ReturnType<typeof JSON.parse>;

export interface Compared {
  readonly step: number;
  readonly wanted: Outcome;
  readonly allowed: boolean;
  readonly message: string;
  readonly warnings: readonly string[];
}

const ENGINE = {
  version: RECORDED_VERSION,
  gates: { CRDValidationRatcheting: true, CRDPropertyNameSchemas: true },
} as const;
const NAME = "vector";
const GROUP = "vector.example.com";

/** The steps that policies decided. */
export async function replayInLibrary(vector: Vector): Promise<Compared[]> {
  const there = new Map<string, Json>();
  for (const step of vector.setup ?? []) keep(there, named(step));
  const compared: Compared[] = [];
  for (const [index, each] of vector.steps.entries()) {
    const step = named(each);
    const wanted: Outcome = named(vector.expect[index] ?? {});
    const parts = isDecidedByPolicies(step, wanted) ? partsOf(step, there) : undefined;
    if (parts !== undefined) compared.push(await compare(index, wanted, parts, there));
    if ((wanted.code ?? 0) < 300) keep(there, step);
  }
  return compared;
}

function named<T>(value: T): T {
  return JSON.parse(JSON.stringify(value).replaceAll("{{n}}", NAME).replaceAll("{{g}}", GROUP));
}

/** Dry runs leave nothing behind. */
function keep(there: Map<string, Json>, step: Step): void {
  const { method = "GET", path, query, body } = step;
  if (query?.["dryRun"] !== undefined || step.until !== undefined) return;
  if (method === "DELETE") there.delete(path);
  if (method === "POST" && isData(body)) there.set(`${path}/${body.metadata?.name}`, placed(path, body));
  if (method === "PATCH" || method === "PUT") {
    const changed = changedBy(step, there.get(path));
    if (changed !== undefined) there.set(path, placed(path, changed));
  }
}

function isData(value: unknown): value is Json {
  return typeof value === "object" && value !== null;
}

/** The namespace of an object is in its path. */
function placed(path: string, object: Json): Json {
  const namespace = /\/namespaces\/([^/]+)\/[a-z]/.exec(path)?.[1];
  return namespace === undefined ? object : { ...object, metadata: { namespace, ...object.metadata } };
}

function isDecidedByPolicies({ method = "GET", path }: Step, { code = 0, message = "" }: Outcome): boolean {
  if (method === "GET" || /admissionregistration|apiextensions|rbac\.auth/.test(path)) return false;
  return code < 300 || message.includes("ValidatingAdmissionPolicy '");
}

function partsOf(step: Step, there: ReadonlyMap<string, Json>): RequestParts | undefined {
  const { method, path, query, as } = step;
  const old = there.get(path);
  const object = method === "DELETE" ? undefined : changedBy(step, old);
  if (object === undefined && (old === undefined || method !== "DELETE")) return undefined;
  return {
    object: data(object && placed(path, object)),
    oldObject: data(method === "POST" ? undefined : old),
    dryRun: query?.["dryRun"] !== undefined,
    user:
      as === "alice" ? makeUser("alice", ["devs"], { uid: "2" }) : makeUser("admin", ["system:masters"], { uid: "1" }),
  };
}

function changedBy({ method, body, contentType }: Step, old: Json | undefined): Json | undefined {
  if (method !== "PATCH") return isData(body) ? body : undefined;
  if (contentType?.includes("apply") === true || old === undefined) return isData(body) ? body : undefined;
  // JSON patches are left to the server's own run of these vectors.
  if (contentType?.includes("merge-patch") !== true) return undefined;
  const text = applyMergePatch(JSON.stringify(old), JSON.stringify(body));
  return text === undefined ? undefined : JSON.parse(text);
}

function data(json: Json | undefined): JsonObject | undefined {
  const value = json === undefined ? undefined : fromPlain(json);
  return isObject(value) ? value : undefined;
}

async function compare(
  step: number,
  wanted: Outcome,
  parts: RequestParts,
  there: ReadonlyMap<string, Json>,
): Promise<Compared> {
  const objects = [...there.values()].map(data).filter((object) => object !== undefined);
  const { verdict } = await evaluateRequest(parts, policyCluster(objects, ENGINE));
  const { allowed, error, warnings } = verdict;
  return { step, wanted, allowed, message: error?.message ?? "", warnings: [...new Set(warnings)] };
}
