/**
 * Quotas of a namespace: a write that would use more is refused, and what it uses is noted before it is stored. Follows
 * the ResourceQuota admission plugin.
 */
import { amountsJson } from "../quota/amounts.ts";
import { type Charge, checkQuotas, type LimitedResource } from "../quota/check.ts";
import type { Evaluator, QuotaRequest } from "../quota/evaluator.ts";
import { evaluatorOf } from "../quota/evaluators.ts";
import type { AdmissionPlugin, AdmissionRequest } from "../review/cluster-view.ts";
import { bareError, StatusError } from "../status/error.ts";
import type { JsonObject } from "../value/json.ts";
import { metaText } from "../value/metadata.ts";
import { watchWork } from "../value/watch-work.ts";
import { refusal } from "./refusal.ts";

export interface ResourceQuotaOptions {
  /** Stores what a quota has used. Throws a StatusError with the reason `Conflict` if it has changed since it was read. */
  readonly storeUsed: (quota: JsonObject, used: JsonObject) => Promise<void>;
  /** What may be used within a quota only. */
  readonly limited?: readonly LimitedResource[] | undefined;
}

const ATTEMPTS = 4;

export function resourceQuotaAdmission(options: ResourceQuotaOptions): AdmissionPlugin {
  /** By namespace: the end of the last check. Each check sees what the one before has stored. */
  const ends = new Map<string, Promise<unknown>>();
  return {
    name: "ResourceQuota",
    validate: async (request) => {
      const { namespace } = request;
      if (namespace === "" || (request.operation !== "CREATE" && request.operation !== "UPDATE")) return;
      const measured = measure(request);
      if (measured === undefined) return;
      const before = ends.get(namespace);
      const check = (before ?? Promise.resolve()).then(() => checkRequest(request, measured, options));
      const end = check.catch(() => {});
      ends.set(namespace, end);
      try {
        await check;
      } finally {
        if (ends.get(namespace) === end) ends.delete(namespace);
      }
    },
  };
}

interface Measured {
  readonly quotaRequest: QuotaRequest;
  readonly evaluator: Evaluator;
}

/** Undefined for writes that no quota is about, those of quotas' own status among them. */
function measure({ endpoint, operation, object, old, cluster }: AdmissionRequest): Measured | undefined {
  const { group, plural } = endpoint.type;
  const evaluator = evaluatorOf(group, plural);
  if (object === undefined || evaluator === undefined || (group === "" && plural === "namespaces")) return undefined;
  const subresource = endpoint.subresource?.name ?? "";
  const quotaRequest = { group, plural, subresource, operation, object, old, now: cluster.system.now() };
  return evaluator.handles(quotaRequest) ? { quotaRequest, evaluator } : undefined;
}

async function checkRequest(request: AdmissionRequest, measured: Measured, options: ResourceQuotaOptions) {
  const { quotaRequest, evaluator } = measured;
  const { storeUsed, limited } = options;
  let names: ReadonlySet<string> | undefined;
  for (let attempt = 1; ; attempt++) {
    const all = await quotasOf(request);
    const quotas = names === undefined ? all : all.filter((quota) => names?.has(metaText(quota, "name")));
    if (quotas.length === 0 && (limited ?? []).length === 0) return;
    const verdict = watchWork(request, () => checkQuotas(quotas, quotaRequest, evaluator, limited));
    if (verdict.problem !== undefined) {
      throw verdict.isForbidden ? refusal(request, verdict.problem) : bareError(verdict.problem);
    }
    if (request.isDryRun) return;
    const failures = await storeAll(verdict.charges, storeUsed);
    const [failure] = failures.values();
    if (failure === undefined) return;
    if (attempt === ATTEMPTS) throw failure;
    names = new Set(failures.keys());
  }
}

/** The quotas that have changed in the meantime, by name. */
async function storeAll(charges: readonly Charge[], storeUsed: ResourceQuotaOptions["storeUsed"]) {
  const failures = new Map<string, StatusError>();
  for (const { quota, used } of charges) {
    try {
      await storeUsed(quota, amountsJson(used));
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      failures.set(metaText(quota, "name"), error);
    }
  }
  return failures;
}

async function quotasOf({ cluster, namespace }: AdmissionRequest): Promise<readonly JsonObject[]> {
  const kind = cluster.kinds.find("", "v1", "resourcequotas");
  return kind === undefined ? [] : cluster.list(kind, namespace);
}
