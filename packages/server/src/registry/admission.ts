/** Asking all that may change or refuse a write beyond the rules of its kind. */
import { decodeManaged } from "@portcullis/engine/apply/managed";
import { entriesOf } from "@portcullis/engine/apply/managed-entries";
import type { JsonObject } from "@portcullis/engine/value/json";
import type { AdmissionStep } from "../observe/server-metrics.ts";
import type { AdmissionPlugin, AdmissionRequest, Reinvocation, WriteCall } from "./context.ts";
import * as messages from "./messages.ts";
import { metaOf, withMeta } from "./meta.ts";

export type Subject = Pick<AdmissionRequest, "operation" | "name" | "object" | "old">;

export async function mutate(call: WriteCall, subject: Subject): Promise<JsonObject | undefined> {
  let { object } = subject;
  const reinvocation: Reinvocation = { isAgain: false, isWanted: false, policies: undefined, webhooks: undefined };
  const ask = async (plugin: AdmissionPlugin): Promise<boolean> => {
    if (plugin.mutate === undefined) return false;
    object = await plugin.mutate({ ...requestOf(call, subject), object }, reinvocation);
    return true;
  };
  await timed(call, subject, "admit", ask, reinvocation);
  return object === subject.object ? object : withValidOwners(object, subject.object, call);
}

/** Whoever made nonsense of managed fields is told so, and the change is undone. */
function withValidOwners(
  object: JsonObject | undefined,
  before: JsonObject | undefined,
  { warn }: WriteCall,
): JsonObject | undefined {
  if (object === undefined || before === undefined) return object;
  const { error } = decodeManaged(entriesOf(object) ?? []);
  if (error === undefined) return object;
  warn(messages.invalidOwnersAfterAdmission(error));
  return withMeta(object, { managedFields: metaOf(before)["managedFields"] });
}

export async function validate(call: WriteCall, subject: Subject): Promise<void> {
  await timed(call, subject, "validate", async (plugin) => {
    if (plugin.validate === undefined) return false;
    await plugin.validate(requestOf(call, subject));
    return true;
  });
}

/** Asks each plugin in turn; `ask` says whether it had anything to ask. */
async function timed(
  { server }: WriteCall,
  { operation }: Subject,
  step: AdmissionStep,
  ask: (plugin: AdmissionPlugin) => Promise<boolean>,
  reinvocation?: Reinvocation,
): Promise<void> {
  const { metrics, admission } = server;
  const { clock } = metrics;
  const start = clock();
  let name: string | undefined;
  let own = start;
  try {
    do {
      for (const plugin of admission) {
        ({ name } = plugin);
        own = clock();
        const isAsked = await ask(plugin);
        if (isAsked && name !== undefined)
          metrics.admissionPlugin(name, step, operation, { seconds: clock() - own, isRejected: false });
      }
    } while (beginsAgain(reinvocation));
  } catch (error) {
    if (name !== undefined) {
      metrics.admissionPlugin(name, step, operation, { seconds: clock() - own, isRejected: true });
    }
    metrics.admissionStep(step, operation, { seconds: clock() - start, isRejected: true });
    throw error;
  }
  metrics.admissionStep(step, operation, { seconds: clock() - start, isRejected: false });
}

/** At most once. */
function beginsAgain(reinvocation: Reinvocation | undefined): boolean {
  if (reinvocation === undefined || reinvocation.isAgain || !reinvocation.isWanted) return false;
  reinvocation.isAgain = true;
  return true;
}

function requestOf(call: WriteCall, subject: Subject): AdmissionRequest {
  const { server, endpoint, namespace, options, isDryRun, deadline, user, warn, annotate } = call;
  return { server, endpoint, namespace, options, isDryRun, deadline, user, warn, annotate, ...subject };
}
