/**
 * `pods/eviction`: deletes a pod if its disruption budget allows that. Follows EvictionREST of
 * pkg/registry/core/pod/storage.
 */
import { setCondition } from "@portcullis/engine/internal/crd/conditions";
import type { AnswerContext, ResourceKind } from "@portcullis/engine/internal/review/kind";
import { versionPrecondition } from "@portcullis/engine/internal/review/messages";
import type { DeleteOptions } from "@portcullis/engine/internal/review/write";
import { fromStructured, matchesLabels } from "@portcullis/engine/internal/selector/labels";
import { readSelector } from "@portcullis/engine/internal/selector/read";
import {
  badRequest,
  bareError,
  conflict,
  forbidden,
  notFound,
  StatusError,
  tooManyRequests,
} from "@portcullis/engine/internal/status/error";
import { isArray, isInteger, isObject, type JsonObject, newObject } from "@portcullis/engine/internal/value/json";
import { labelsOf, metaOf, metaText, objectOf, textOf } from "@portcullis/engine/internal/value/metadata";
import { withMember } from "@portcullis/engine/internal/value/rewrite";
import type { ServerContext } from "../registry/context.ts";
import { decodeEntry, keyOf } from "../registry/object-codec.ts";
import { APISERVER, deleteAs, patchAs } from "../registry/server-writes.ts";
import { changeStored } from "../registry/stored.ts";
import { successStatus } from "./binding.ts";
import * as messages from "./messages.ts";
import { withPodCondition } from "./pod-condition.ts";

const ATTEMPTS = 20;
const MAX_DISRUPTED = 2000;
const CONDITION = {
  type: "DisruptionTarget",
  status: "True",
  reason: "EvictionByEvictionAPI",
  message: "Eviction API: evicting",
};

interface Eviction {
  readonly name: string;
  readonly options: DeleteOptions;
  readonly isDryRun: boolean;
  readonly context: AnswerContext;
  readonly server: ServerContext;
  readonly pods: ResourceKind;
}

export async function evictPod(draft: JsonObject, context: AnswerContext, server: ServerContext, pods: ResourceKind) {
  const { name } = context;
  if (metaText(draft, "name") !== name) throw badRequest(messages.otherName("Eviction"));
  const json = isObject(draft["deleteOptions"]) ? draft["deleteOptions"] : newObject();
  const isDryRun = context.isDryRun || (isArray(json["dryRun"]) && json["dryRun"].length > 0);
  const eviction = { name, options: readDeleteOptions(json), isDryRun, context, server, pods };
  await context.admit(withDryRun(draft, json, context.isDryRun));
  for (let attempt = 1; ; attempt++) {
    try {
      await evictOnce(eviction);
      return successStatus();
    } catch (error) {
      const isConflict = error instanceof StatusError && error.reason === "Conflict";
      if (!isConflict || attempt === ATTEMPTS || eviction.options.resourceVersion !== undefined) throw error;
    }
  }
}

/** Options in the body take over the dry run of the request. */
function withDryRun(draft: JsonObject, json: JsonObject, isDryRun: boolean): JsonObject {
  const isSet = isArray(json["dryRun"]) && json["dryRun"].length > 0;
  if (!isDryRun || isSet || !isObject(draft["deleteOptions"])) return draft;
  return withMember(draft, "deleteOptions", withMember(json, "dryRun", ["All"]));
}

function readDeleteOptions(json: JsonObject): DeleteOptions {
  const preconditions = isObject(json["preconditions"]) ? json["preconditions"] : newObject();
  const text = (value: unknown): string | undefined => (typeof value === "string" ? value : undefined);
  const grace = json["gracePeriodSeconds"];
  return {
    uid: text(preconditions["uid"]),
    resourceVersion: text(preconditions["resourceVersion"]),
    propagationPolicy: text(json["propagationPolicy"]),
    orphanDependents: typeof json["orphanDependents"] === "boolean" ? json["orphanDependents"] : undefined,
    gracePeriodSeconds: isInteger(grace) ? Number(grace) : undefined,
  };
}

async function evictOnce(eviction: Eviction): Promise<void> {
  const pod = await readPod(eviction);
  if (ignoresBudgets(pod)) return remove(eviction, pod);
  const budgets = await budgetsOf(eviction, pod);
  if (budgets.length > 1) throw bareError(messages.severalBudgets());
  const [budget] = budgets;
  if (budget !== undefined && !isUnguarded(pod, budget)) await disrupt(eviction, pod, budget);
  await remove(eviction, pod);
}

async function readPod({ server, pods, context, name }: Eviction): Promise<JsonObject> {
  const entry = await server.store.get(keyOf(pods, context.namespace, name));
  if (entry === undefined) throw notFound({ group: "", resource: "pods" }, name);
  return decodeEntry(entry, pods);
}

/** Nothing is disrupted where nothing runs. */
function ignoresBudgets(pod: JsonObject): boolean {
  const phase = textOf(statusOf(pod)["phase"]);
  return ["Succeeded", "Failed", "Pending"].includes(phase) || metaText(pod, "deletionTimestamp") !== "";
}

async function budgetsOf({ server, context }: Eviction, pod: JsonObject): Promise<JsonObject[]> {
  const kind = server.registry.find("policy", "v1", "poddisruptionbudgets");
  if (kind === undefined) return [];
  // A budget of another server counts too.
  await server.store.revision();
  const all = await server.list(kind, context.namespace);
  return all.filter((budget) => {
    const spec = isObject(budget["spec"]) ? budget["spec"] : newObject();
    const selector = isObject(spec["selector"]) ? fromStructured(readSelector(spec["selector"])).value : undefined;
    return selector !== undefined && matchesLabels(selector, labelsOf(pod));
  });
}

/** A pod that is not ready counts for nothing: it may go where the budget says so, or where enough others are ready. */
function isUnguarded(pod: JsonObject, budget: JsonObject): boolean {
  const conditions = statusOf(pod)["conditions"];
  const ready = isArray(conditions) ? conditions.filter(isObject).find((each) => each["type"] === "Ready") : undefined;
  if (ready?.["status"] === "True") return false;
  const spec = isObject(budget["spec"]) ? budget["spec"] : newObject();
  const [current, desired] = [numberIn(budget, "currentHealthy"), numberIn(budget, "desiredHealthy")];
  return spec["unhealthyPodEvictionPolicy"] === "AlwaysAllow" || (current >= desired && desired > 0);
}

/** Takes one disruption from the budget. Throws a StatusError where none is left. */
async function disrupt({ server, isDryRun }: Eviction, pod: JsonObject, budget: JsonObject): Promise<void> {
  checkBudget(budget);
  const type = server.registry.find("policy", "v1", "poddisruptionbudgets");
  if (isDryRun || type === undefined) return;
  const [now, left] = [server.system.now(), numberIn(budget, "disruptionsAllowed") - 1];
  const disruptedPods = objectOf({ [metaText(pod, "name")]: now });
  const used = objectOf({ disruptionsAllowed: left, disruptedPods });
  const status = left > 0 ? used : objectOf({ ...used, conditions: insufficient(budget, now) });
  const metadata = objectOf({ resourceVersion: metaText(budget, "resourceVersion") });
  const write = { server, user: APISERVER, type, object: budget, manager: "kube-apiserver" };
  await patchAs(write, objectOf({ metadata, status }), "status");
}

function insufficient(budget: JsonObject, now: string): JsonObject["conditions"] {
  const observedGeneration = statusOf(budget)["observedGeneration"];
  const condition = { type: "DisruptionAllowed", status: "False", reason: "InsufficientPods", message: "" };
  const status = setCondition(statusOf(budget), objectOf({ ...condition, observedGeneration }), now);
  return status["conditions"] ?? [];
}

function checkBudget(budget: JsonObject): void {
  const name = metaText(budget, "name");
  const generation = metaOf(budget)["generation"];
  if (numberIn(budget, "observedGeneration") < (isInteger(generation) ? Number(generation) : 0)) {
    throw refusal(messages.budgetInProgress(name), IN_PROGRESS_SECONDS);
  }
  const resource = { group: "policy", resource: "poddisruptionbudget" };
  if (numberIn(budget, "disruptionsAllowed") < 0) throw forbidden(resource, name, messages.negativeBudget());
  const disrupted = statusOf(budget)["disruptedPods"];
  if (isObject(disrupted) && Object.keys(disrupted).length > MAX_DISRUPTED) {
    throw forbidden(resource, name, messages.tooManyDisrupted());
  }
  if (numberIn(budget, "disruptionsAllowed") === 0) throw refusal(explain(budget), 0);
}

const IN_PROGRESS_SECONDS = 10;

function refusal(cause: string, seconds: number): StatusError {
  const { code, reason, message } = tooManyRequests(messages.budgetViolated(), seconds);
  const causes = [{ type: "DisruptionBudget", message: cause, field: "" }];
  const retry = seconds === 0 ? {} : { retryAfterSeconds: seconds };
  return new StatusError({ code, reason, message, details: { causes, ...retry } });
}

function explain(budget: JsonObject): string {
  const name = metaText(budget, "name");
  const conditions = statusOf(budget)["conditions"];
  const all = isArray(conditions) ? conditions.filter(isObject) : [];
  const condition = all.find((each) => each["type"] === "DisruptionAllowed" && each["status"] === "False");
  const [reason, text] = [textOf(condition?.["reason"]), textOf(condition?.["message"])];
  if (text !== "" && reason === "SyncFailed") return messages.budgetNotSynced(name, text);
  const [current, desired] = [numberIn(budget, "currentHealthy"), numberIn(budget, "desiredHealthy")];
  if (current <= desired) return messages.budgetNeeds(name, desired, current);
  return text === "" ? messages.budgetForbids(name) : messages.budgetForbidsFor(name, reason, text);
}

async function remove({ server, pods, options, isDryRun }: Eviction, pod: JsonObject): Promise<void> {
  if (isDryRun) return;
  const key = keyOf(pods, metaText(pod, "namespace"), metaText(pod, "name"));
  await changeStored(server.store, key, pods, (found) => {
    checkVersion(found, options);
    return withPodCondition(found, CONDITION, server.system.now());
  });
  // The eviction has been admitted; its delete is not put to admission again.
  const write = { server: { ...server, admission: [] }, user: APISERVER, type: pods, object: pod };
  await deleteAs(write, { ...options, resourceVersion: undefined });
}

/** Checked before the condition is added, which makes another version of the pod. */
function checkVersion(pod: JsonObject, { resourceVersion = "" }: DeleteOptions): void {
  const found = metaText(pod, "resourceVersion");
  if (resourceVersion === "" || resourceVersion === found) return;
  const message = versionPrecondition(resourceVersion, found);
  throw conflict({ group: "", resource: "Pod" }, metaText(pod, "name"), message);
}

function statusOf(object: JsonObject): JsonObject {
  return isObject(object["status"]) ? object["status"] : newObject();
}

function numberIn(budget: JsonObject, key: string): number {
  const value = statusOf(budget)[key];
  return isInteger(value) ? Number(value) : 0;
}
