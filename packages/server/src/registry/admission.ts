/** Asking all that may change or refuse a write beyond the rules of its kind. */
import type { JsonObject } from "@portcullis/engine/value/json";
import type { AdmissionStep } from "../observe/server-metrics.ts";
import type { AdmissionPlugin, AdmissionRequest, WriteCall } from "./context.ts";

export type Subject = Pick<AdmissionRequest, "operation" | "name" | "object" | "old">;

export async function mutate(call: WriteCall, subject: Subject): Promise<JsonObject | undefined> {
  let { object } = subject;
  await timed(call, subject, "admit", async (plugin) => {
    if (plugin.mutate === undefined) return false;
    object = await plugin.mutate({ ...requestOf(call, subject), object });
    return true;
  });
  return object;
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
): Promise<void> {
  const { metrics, admission } = server;
  const { clock } = metrics;
  const start = clock();
  let name: string | undefined;
  let own = start;
  try {
    for (const plugin of admission) {
      ({ name } = plugin);
      own = clock();
      const isAsked = await ask(plugin);
      if (isAsked && name !== undefined)
        metrics.admissionPlugin(name, step, operation, { seconds: clock() - own, isRejected: false });
    }
  } catch (error) {
    if (name !== undefined) {
      metrics.admissionPlugin(name, step, operation, { seconds: clock() - own, isRejected: true });
    }
    metrics.admissionStep(step, operation, { seconds: clock() - start, isRejected: true });
    throw error;
  }
  metrics.admissionStep(step, operation, { seconds: clock() - start, isRejected: false });
}

function requestOf(call: WriteCall, subject: Subject): AdmissionRequest {
  const { server, endpoint, namespace, options, isDryRun, user, warn, annotate } = call;
  return { server, endpoint, namespace, options, isDryRun, user, warn, annotate, ...subject };
}
