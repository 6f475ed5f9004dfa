import { expect, test } from "vitest";
import {
  type CertificateState,
  caBundle,
  firstState,
  fromSecret,
  nextState,
  stageOf,
  toSecret,
} from "./certificates.ts";

let serial = 0;
async function issue() {
  serial++;
  return { cert: `cert ${serial}`, key: `key ${serial}`, ca: pem(serial) };
}

function pem(number: number): string {
  return `-----BEGIN CERTIFICATE-----\n${number}\n-----END CERTIFICATE-----`;
}

const TIMING = { rotateAfterMs: 1000, propagationMs: 100 };

async function step(state: CertificateState, now: number, published = caBundle(state)) {
  return nextState(state, TIMING, { now, published, issue });
}

test("a new CA is announced, then used, then the only one, each step after the previous one has propagated", async () => {
  serial = 0;
  const first = await firstState({ now: 0, issue });
  expect(await step(first, 999)).toBeUndefined();

  const announced = await step(first, 1000);
  expect(announced).toMatchObject({
    authorities: [pem(1), pem(2)],
    serving: { cert: "cert 1" },
    next: { cert: "cert 2" },
  });
  if (announced === undefined) return;
  expect(await step(announced, 1099)).toBeUndefined();
  expect(await step(announced, 5000, caBundle(first))).toBeUndefined();

  const replaced = await step(announced, 1100);
  expect(replaced).toMatchObject({ authorities: [pem(1), pem(2)], serving: { cert: "cert 2" }, next: undefined });
  if (replaced === undefined) return;
  expect(await step(replaced, 1199)).toBeUndefined();

  const settled = await step(replaced, 1200);
  expect(settled).toMatchObject({ authorities: [pem(2)], serving: { cert: "cert 2" } });
  expect([first, announced, replaced, settled].map((each) => each && stageOf(each))).toEqual([
    "settled",
    "announced",
    "replaced",
    "settled",
  ]);
});

test("a Secret holds a complete state", async () => {
  const first = await firstState({ now: 0, issue });
  const announced = await step(first, 1000);
  for (const state of [first, announced]) {
    if (state === undefined) continue;
    expect(fromSecret(toSecret(state, "ns", "name"))).toEqual(state);
  }
});

test("a Secret of another shape holds nothing", () => {
  expect(fromSecret({ data: { "tls.crt": "eA==" } })).toBeUndefined();
  expect(fromSecret({})).toBeUndefined();
});
