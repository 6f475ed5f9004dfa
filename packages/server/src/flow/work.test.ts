import { expect, test } from "vitest";
import { readRequestInfo } from "../http/request-info.ts";
import type { ObjectStats } from "../registry/object-counts.ts";
import { WatchCounts } from "./watch-counts.ts";
import { estimateWork } from "./work.ts";

const PODS = "/api/v1/namespaces/default/pods";

function infoOf(method: string, target: string) {
  const info = readRequestInfo(method, target);
  if (info === undefined) throw new Error("no request");
  return info;
}

interface Known {
  readonly stats?: ObjectStats;
  readonly watches?: number;
  readonly maxSeats?: number;
}

function estimate(method: string, target: string, { stats, watches = 0, maxSeats }: Known = {}) {
  return estimateWork(infoOf(method, target), { stats: () => stats, watches: () => watches, maxSeats });
}

const MANY = { count: 3_000, averageBytes: 10_000 };

test.each([
  ["unknown objects", "", undefined, 1],
  ["few objects", "", { count: 5, averageBytes: 1_000 }, 1],
  ["many, as they are made", "", MANY, 10],
  ["the first page", "?limit=20", MANY, 2],
  ["a later page", "?limit=500&continue=x", MANY, 50],
  ["a later page by labels", "?limit=20&continue=x&labelSelector=a", MANY, 100],
  ["a state of the past", "?resourceVersion=5&resourceVersionMatch=Exact", MANY, 100],
  ["not older than", "?resourceVersion=5&resourceVersionMatch=NotOlderThan", MANY, 10],
  ["one by its name", "?fieldSelector=metadata.name%3Da", MANY, 1],
  ["a watch that starts with all", "?watch=true", MANY, 10],
  ["a watch that continues", "?watch=true&resourceVersion=5", MANY, 1],
  ["a watch that asks for all", "?watch=true&resourceVersion=5&sendInitialEvents=true", MANY, 10],
])("a list takes seats for what it loads: %s", (_, query, stats, seats) => {
  const known = stats === undefined ? {} : { stats };
  expect(estimate("GET", PODS + query, known)).toEqual({ seats, finalSeats: 0, lingerSeconds: 0 });
});

test("a list takes no more seats than its level gives", () => {
  expect(estimate("GET", PODS, { stats: MANY, maxSeats: 8 }).seats).toBe(8);
});

test("a write lingers for the watches that see it", () => {
  expect(estimate("POST", PODS, { watches: 9 })).toEqual({ seats: 1, finalSeats: 0, lingerSeconds: 0 });
  expect(estimate("POST", PODS, { watches: 50 })).toEqual({ seats: 1, finalSeats: 5, lingerSeconds: 0.005 });
  const many = estimate("POST", PODS, { watches: 400 });
  expect(many).toEqual({ seats: 1, finalSeats: 10, lingerSeconds: 0.02 });
  const token = "/api/v1/namespaces/default/serviceaccounts/a/token";
  expect(estimate("POST", token, { watches: 400 }).finalSeats).toBe(0);
});

test("watches are counted for the writes that they see", () => {
  const counts = new WatchCounts();
  const forget = counts.add(infoOf("GET", "/api/v1/pods?watch=true"));
  counts.add(infoOf("GET", `${PODS}?watch=true`));
  counts.add(infoOf("GET", `${PODS}?watch=true&fieldSelector=metadata.name%3Da`));
  counts.add(infoOf("GET", `${PODS}?watch=true&fieldSelector=spec.nodeName%3Dn`));
  counts.add(infoOf("GET", "/api/v1/namespaces/other/pods?watch=true"));
  const seenBy = (method: string, path: string): number => counts.interested(infoOf(method, path));
  expect(seenBy("POST", PODS)).toBe(2);
  expect(seenBy("PUT", `${PODS}/a`)).toBe(3);
  expect(seenBy("PUT", "/api/v1/namespaces/default/configmaps/a")).toBe(0);
  forget();
  forget();
  expect(seenBy("POST", PODS)).toBe(1);
});
