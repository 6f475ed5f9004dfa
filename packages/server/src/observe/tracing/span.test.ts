import { describe, expect, test } from "vitest";
import { openClient } from "../../app/app.testing.ts";
import type { Span } from "./span.ts";
import { isSampledByRatio, parseTraceParent } from "./trace-context.ts";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT = `00-${TRACE}-00f067aa0ba902b7-01`;
const MAPS = "/api/v1/namespaces/default/configmaps";

async function traced(ratio: number, send: { path: string; token?: string; headers?: Record<string, string> }) {
  const spans: Span[] = [];
  const api = await openClient({ tracing: { ratio, export: (span) => void spans.push(span) } });
  const { code } = await api.get(send.path, send);
  await api.app.close();
  return { code, spans };
}

describe("a traced request", () => {
  test("has a span of the request and one of its handler", async () => {
    const { spans } = await traced(1, { path: `${MAPS}/missing` });
    const [handler, request] = spans;
    expect([request?.name, request?.kind]).toEqual([
      "GET /api/v1/namespaces/{:namespace}/configmaps/{:name}",
      "server",
    ]);
    expect([handler?.name, handler?.kind, handler?.parentId]).toEqual(["Get", "internal", request?.spanId]);
    expect(handler?.traceId).toBe(request?.traceId);
    const attributes = Object.fromEntries(request?.attributes ?? []);
    expect(attributes).toMatchObject({
      "http.request.method": "GET",
      "http.response.status_code": 404,
      "url.path": `${MAPS}/missing`,
    });
    expect(attributes["audit-id"]).toMatch(/^0{8}-/);
  });

  test("of an administrator continues the trace of the client", async () => {
    const { spans } = await traced(0, { path: MAPS, headers: { traceparent: PARENT } });
    expect(spans.at(-1)).toMatchObject({ traceId: TRACE, parentId: "00f067aa0ba902b7", link: undefined });
  });

  test("of anybody else starts a trace and links to that of the client", async () => {
    const { spans, code } = await traced(1, { path: MAPS, token: "alice", headers: { traceparent: PARENT } });
    expect(code).toBe(403);
    expect(spans).toHaveLength(1);
    expect(spans[0]).toMatchObject({ parentId: undefined, link: { traceId: TRACE } });
    expect(spans[0]?.traceId).not.toBe(TRACE);
  });
});

test("requests that are not sampled have no spans", async () => {
  expect((await traced(0, { path: MAPS })).spans).toEqual([]);
  expect((await traced(0, { path: MAPS, token: "alice", headers: { traceparent: PARENT } })).spans).toEqual([]);
  const unsampled = PARENT.replace(/01$/, "00");
  expect((await traced(1, { path: MAPS, headers: { traceparent: unsampled } })).spans).toEqual([]);
  expect((await traced(1, { path: MAPS, token: "nobody" })).spans).toEqual([]);
});

test.each([
  ["", undefined],
  ["00-0-0-0", undefined],
  [`00-${"0".repeat(32)}-00f067aa0ba902b7-01`, undefined],
  [`ff-${TRACE}-00f067aa0ba902b7-01`, undefined],
  [`${PARENT}-more`, undefined],
  [`01-${TRACE}-00f067aa0ba902b7-01-more`, true],
  [PARENT, true],
  [PARENT.replace(/01$/, "02"), false],
])("the context %s is sampled: %s", (header, isSampled) => {
  expect(parseTraceParent(header)?.isSampled).toBe(isSampled);
});

test("the ratio chooses by the end of the identifier", () => {
  const id = (end: string): string => end.padStart(32, "f");
  expect(isSampledByRatio(id("0000000000000001"), 0.000001)).toBe(true);
  expect(isSampledByRatio(id("7fffffffffffffff"), 0.5)).toBe(true);
  expect(isSampledByRatio(id("8000000000000001"), 0.5)).toBe(false);
});
