/** Objects that exist, put to policies as if they were created now. Who created them is not known. */
import type { PolicyVerdict } from "@portcullis/engine/internal/policy/dispatch";
import { type JsonObject, newObject } from "@portcullis/engine/internal/value/json";
import { metaText, textOf } from "@portcullis/engine/internal/value/metadata";
import { UsageError } from "../input/usage-error.ts";
import { evaluateRequest } from "../policy/evaluate-request.ts";
import type { PolicyCluster } from "../policy/policy-cluster.ts";

export interface ScanResult {
  readonly policy: string;
  readonly object: JsonObject;
  readonly result: "pass" | "fail" | "warn" | "error";
  readonly message: string;
}

/** One result for each policy that applies to the object. */
export async function scanObject(object: JsonObject, policies: PolicyCluster): Promise<readonly ScanResult[]> {
  try {
    const { verdict } = await evaluateRequest({ object, operation: "CREATE", isRaw: true }, policies);
    return resultsOf(object, verdict);
  } catch (thrown) {
    // One strange object must not end the scan.
    if (!(thrown instanceof UsageError)) throw thrown;
    return [{ policy: "", object, result: "error", message: thrown.message }];
  }
}

function resultsOf(object: JsonObject, { traces }: PolicyVerdict): ScanResult[] {
  return traces.flatMap(({ policy, outcome, reason, bindings }): ScanResult[] => {
    if (outcome === "error") return [{ policy, object, result: "error", message: reason }];
    const broken = bindings.find((binding) => binding.outcome === "error");
    if (broken !== undefined) return [{ policy, object, result: "error", message: broken.reason }];
    const decisions = bindings.flatMap(({ evaluations }) => evaluations.flatMap((each) => each.decisions));
    if (decisions.length === 0) return [];
    const failed = decisions.find(({ action }) => action === "deny");
    if (failed === undefined) return [{ policy, object, result: "pass", message: "" }];
    const result = failed.evaluation === "error" ? "error" : "fail";
    return [{ policy, object, result, message: failed.message }];
  });
}

export type ReportKind = "wgpolicyk8s.io/v1alpha2" | "openreports.io/v1alpha1";

const RESULTS = ["pass", "fail", "warn", "error", "skip"] as const;

/** A report for each object that some policy applies to, beside the object. */
export function policyReports(results: readonly ScanResult[], kind: ReportKind, seconds: number): JsonObject[] {
  const byObject = new Map<JsonObject, ScanResult[]>();
  for (const each of results) byObject.set(each.object, [...(byObject.get(each.object) ?? []), each]);
  return [...byObject].map(([object, own]) => report(object, own, kind, seconds));
}

function report(object: JsonObject, own: readonly ScanResult[], apiVersion: ReportKind, seconds: number): JsonObject {
  const namespace = metaText(object, "namespace");
  const name = metaText(object, "uid") || `${textOf(object["kind"]).toLowerCase()}-${metaText(object, "name")}`;
  const isOpen = apiVersion.startsWith("openreports.io/");
  const prefix = namespace === "" ? "Cluster" : "";
  return record({
    apiVersion,
    kind: isOpen ? `${prefix}Report` : `${prefix}PolicyReport`,
    metadata: record({
      name,
      namespace: namespace || undefined,
      labels: record({ "app.kubernetes.io/managed-by": "portcullis" }),
    }),
    scope: record({
      apiVersion: object["apiVersion"], kind: object["kind"], name: metaText(object, "name"),
      namespace: namespace || undefined, uid: metaText(object, "uid") || undefined,
    }),
    results: own.map(({ policy, result, message }) =>
      record({
        source: "portcullis", policy, result, message: message || undefined, scored: true,
        timestamp: record({ seconds, nanos: 0 }),
      }),
    ),
    summary: record(
      Object.fromEntries(RESULTS.map((each) => [each, own.filter(({ result }) => result === each).length])),
    ),
  });
}

function record(members: Readonly<Record<string, JsonObject[string] | undefined>>): JsonObject {
  const made = newObject();
  for (const [name, value] of Object.entries(members)) if (value !== undefined) made[name] = value;
  return made;
}
