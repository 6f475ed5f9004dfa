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

async function secondsOf(admission: readonly AdmissionPlugin[]): Promise<number[]> {
  const seconds: number[] = [];
  const overrun = (each: number): void => void seconds.push(each);
  const context = { cluster: { admission }, recorder: new OutcomeRecorder() } as unknown as ReviewContext;
  const subject = { operation: "CREATE", name: "a", object: newObject(), old: undefined } as const;
  await validate({ overrun } as unknown as Write, subject, context);
  return seconds;
}

test("a request that takes long begins again elsewhere until it has called webhooks", async () => {
  expect(await secondsOf([long, webhook])).toEqual([1]);
  expect(await secondsOf([webhook, long])).toEqual([]);
});
