/** Runs the admission plugins of the cluster: first those that change the object, later those that may refuse it. */
import { decodeManaged } from "../apply/managers/managed.ts";
import { entriesOf } from "../apply/managers/managed-entries.ts";
import { forbidden } from "../status/error.ts";
import type { JsonObject } from "../value/json.ts";
import { metaOf, withMeta } from "../value/metadata.ts";
import type { AdmissionPlugin, AdmissionRequest, ClusterView, Reinvocation } from "./cluster-view.ts";
import { groupResourceOf } from "./kind.ts";
import * as messages from "./messages.ts";
import type { AdmissionStep } from "./metrics.ts";
import type { ReviewContext } from "./review-context.ts";
import type { Write } from "./write.ts";

export type Subject = Pick<AdmissionRequest, "operation" | "name" | "object" | "old" | "isUnnamed">;

export async function mutate(write: Write, subject: Subject, context: ReviewContext): Promise<JsonObject | undefined> {
  refuseCreate(write, subject);
  let { object } = subject;
  const request = requestOf(write, subject, context);
  const reinvocation: Reinvocation = { isAgain: false, isWanted: false, policies: undefined, webhooks: undefined };
  const take = async (mutated: Promise<JsonObject | undefined>): Promise<void> => {
    object = await mutated;
  };
  let asked = request;
  const ask = (plugin: AdmissionPlugin): Promise<void> | undefined => {
    if (plugin.mutate === undefined) return undefined;
    // Most change nothing and are asked about the same request.
    if (asked.object !== object) asked = { ...request, object };
    return take(plugin.mutate(asked, reinvocation));
  };
  await timed(context.cluster, subject, { step: "admit", ask, reinvocation });
  return object === subject.object ? object : withValidOwners(object, subject.object, context);
}

/** Also where apply would create. */
function refuseCreate({ endpoint: { type } }: Write, { operation, name }: Subject): void {
  if (operation !== "CREATE" || type.createRefusal === undefined) return;
  throw forbidden(groupResourceOf(type), name, type.createRefusal);
}

/** Invalid managed fields are replaced by those before admission, with a warning. */
function withValidOwners(
  object: JsonObject | undefined,
  before: JsonObject | undefined,
  { recorder }: ReviewContext,
): JsonObject | undefined {
  if (object === undefined || before === undefined) return object;
  const { error } = decodeManaged(entriesOf(object) ?? []);
  if (error === undefined) return object;
  recorder.warn(messages.invalidOwnersAfterAdmission(error));
  return withMeta(object, { managedFields: metaOf(before)["managedFields"] });
}

export async function validate(write: Write, subject: Subject, context: ReviewContext): Promise<void> {
  const request = requestOf(write, subject, context);
  const ask = (plugin: AdmissionPlugin): Promise<void> | undefined => plugin.validate?.(request);
  await timed(context.cluster, subject, { step: "validate", ask });
}

interface Pass {
  readonly step: AdmissionStep;
  /** Undefined if the plugin does not take part in this step. */
  readonly ask: (plugin: AdmissionPlugin) => Promise<void> | undefined;
  readonly reinvocation?: Reinvocation;
}

/** Asks each plugin in turn, and measures each and all. */
async function timed(cluster: ClusterView, { operation }: Subject, pass: Pass): Promise<void> {
  const { metrics } = cluster;
  if (metrics === undefined) return askAll(cluster.admission, pass, () => {});
  const { step } = pass;
  const start = metrics.clock();
  // The time of one plugin begins where that of the plugin before it ends: with two dozen of them, asking for the time
  // is a part of the time.
  let began = start;
  let current: string | undefined;
  const finish = (isRejected: boolean): void => {
    const now = metrics.clock();
    if (current !== undefined) {
      metrics.admissionPlugin(current, step, operation, { seconds: now - began, isRejected });
    }
    began = now;
  };
  const onPlugin = (plugin: AdmissionPlugin, isDone: boolean): void => {
    if (isDone) finish(false);
    else current = plugin.name;
  };
  let isRejected = true;
  try {
    await askAll(cluster.admission, pass, onPlugin);
    isRejected = false;
  } finally {
    if (isRejected) finish(true);
    metrics.admissionStep(step, operation, { seconds: metrics.clock() - start, isRejected });
  }
}

type OnPlugin = (plugin: AdmissionPlugin, isDone: boolean) => void;

async function askAll(plugins: readonly AdmissionPlugin[], { ask, reinvocation }: Pass, on: OnPlugin): Promise<void> {
  do {
    for (const plugin of plugins) {
      on(plugin, false);
      const asked = ask(plugin);
      // Most take part in one of the steps only: nothing is waited for then.
      if (asked === undefined) continue;
      await asked;
      on(plugin, true);
    }
  } while (beginsAgain(reinvocation));
}

/** At most once. */
function beginsAgain(reinvocation: Reinvocation | undefined): boolean {
  if (reinvocation === undefined || reinvocation.isAgain || !reinvocation.isWanted) return false;
  reinvocation.isAgain = true;
  return true;
}

function requestOf(write: Write, subject: Subject, { cluster, recorder }: ReviewContext): AdmissionRequest {
  const { endpoint, namespace, options, isDryRun, deadline, overrun, user } = write;
  const { warn, annotate, report, noteCall } = recorder;
  return {
    cluster,
    endpoint,
    namespace,
    options,
    isDryRun,
    deadline,
    overrun: overrun && ((seconds) => overrun(seconds, !recorder.hasCalled)),
    noteCall,
    user,
    warn,
    annotate,
    report,
    ...subject,
  };
}
