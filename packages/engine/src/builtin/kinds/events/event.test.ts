import { expect, test } from "vitest";
import { decode, resourceOf, testKinds } from "../kind.testing.ts";

const regarding = { kind: "Pod", namespace: "default", name: "p" };
const reporting = { reportingController: "example.com/c", reportingInstance: "i", reason: "r", type: "Normal" };
const event = { eventTime: "2026-01-01T00:00:00.000000Z", ...reporting, regarding };
const events = resourceOf("events.k8s.io/v1/Event");

testKinds({
  "v1/Event": {
    valid: { involvedObject: regarding },
    wrong: { involvedObject: { ...regarding, namespace: "other" } },
    errors: ['involvedObject.namespace: Invalid value: "other": does not match event.namespace'],
  },
  "events.k8s.io/v1/Event": {
    valid: { ...event, action: "a" },
    wrong: event,
    errors: ["action: Required value"],
  },
});

test("events of both groups are stored as one kind", () => {
  const object = decode(events, { regarding: { name: "x" }, note: "n", deprecatedCount: 3, reason: "r" });
  const hub = events.toHub(object);
  expect(events.hub).toEqual({ group: "", version: "v1", kind: "Event" });
  expect(hub).toMatchObject({ apiVersion: "v1", involvedObject: { name: "x" }, message: "n", count: 3, reason: "r" });
  expect(events.fromHub(hub)).toMatchObject({ apiVersion: "events.k8s.io/v1", regarding: { name: "x" }, note: "n" });
});
