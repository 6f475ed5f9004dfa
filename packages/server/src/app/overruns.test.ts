import { expect, test } from "vitest";
import { type RequestInfo, readRequestInfo } from "../http/request-info.ts";
import { Overruns } from "./overruns.ts";

function infoOf(method: string, target: string): RequestInfo {
  const info = readRequestInfo(method, target);
  if (info === undefined) throw new Error("no path");
  return info;
}

const POD = infoOf("POST", "/api/v1/namespaces/a/pods");

test("what is like a request that took long is expected to take long, for a while", () => {
  let now = 0;
  const overruns = new Overruns(() => now);
  expect(overruns.has(POD)).toBe(false);
  overruns.add(POD);
  expect(overruns.has(infoOf("POST", "/api/v1/namespaces/a/pods?dryRun=All"))).toBe(true);
  expect(overruns.has(infoOf("GET", "/api/v1/namespaces/a/pods"))).toBe(false);
  expect(overruns.has(infoOf("POST", "/api/v1/namespaces/b/pods"))).toBe(false);
  expect(overruns.has(infoOf("POST", "/api/v1/namespaces/a/configmaps"))).toBe(false);
  now = 5_000;
  expect(overruns.has(POD)).toBe(false);
});

test("not more is remembered than a few", () => {
  const overruns = new Overruns(() => 0);
  overruns.add(POD);
  for (let i = 0; i < 1_000; i++) overruns.add(infoOf("POST", `/api/v1/namespaces/n${i}/pods`));
  expect(overruns.has(POD)).toBe(false);
  expect(overruns.has(infoOf("POST", "/api/v1/namespaces/n999/pods"))).toBe(true);
});
