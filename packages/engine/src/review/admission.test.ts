import { expect, test } from "vitest";
import { newObject } from "../value/json.ts";
import { validate } from "./admission.ts";
import type { AdmissionPlugin, AdmissionRequest } from "./cluster-view.ts";
import { OutcomeRecorder } from "./outcome.ts";
import type { ReviewContext } from "./review-context.ts";
import type { Write } from "./write.ts";

const plugin = (ask: (request: AdmissionRequest) => void): AdmissionPlugin => ({
  name: "Test",
  validate: async (request) => ask(request),
});

const long = plugin(({ overrun }) => overrun?.(1));
const webhook = plugin(({ noteCall }) => noteCall?.());

/** Whether the write may begin again, each time that it takes long. */
async function overrunsOf(admission: readonly AdmissionPlugin[]): Promise<boolean[]> {
  const overruns: boolean[] = [];
  const overrun = (_: number, isRepeatable: boolean): void => void overruns.push(isRepeatable);
  const context = { cluster: { admission }, recorder: new OutcomeRecorder() } as unknown as ReviewContext;
  const subject = { operation: "CREATE", name: "a", object: newObject(), old: undefined } as const;
  await validate({ overrun } as unknown as Write, subject, context);
  return overruns;
}

test("a request that takes long may begin again elsewhere until it has called webhooks", async () => {
  expect(await overrunsOf([long, webhook])).toEqual([true]);
  expect(await overrunsOf([webhook, long])).toEqual([false]);
});
