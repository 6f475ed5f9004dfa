import { writeFileSync } from "node:fs";
import path from "node:path";
import { sharedFolder } from "@portcullis/server/node/scratch.testing";
import { afterAll, expect, test } from "vitest";
import { startPlayground } from "./serve-playground.ts";

const folder = sharedFolder();
writeFileSync(
  path.join(folder, "index.html"),
  `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self'" />`,
);
writeFileSync(path.join(folder, "page.js"), "1");
const playground = await startPlayground({ host: "127.0.0.1", port: 0, folder });

afterAll(() => playground.stop());

test("the page sends its Content-Security-Policy as a header and may not be framed", async () => {
  const answer = await fetch(playground.url);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(answer.headers.get("content-security-policy")).toBe(
    "default-src 'none'; script-src 'self'; frame-ancestors 'none'",
  );
  expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
});

test.each(["/", "/playground"])("%s leads to the page", async (target) => {
  const answer = await fetch(new URL(target, playground.url), { redirect: "manual" });
  expect([answer.status, answer.headers.get("location")]).toEqual([302, "/playground/"]);
});

test.each([
  { target: "page.js", method: "GET", status: 200 },
  { target: "page.js?v=1", method: "HEAD", status: 200 },
  { target: "missing.js", method: "GET", status: 404 },
  { target: "..%2f..%2fetc%2fpasswd", method: "GET", status: 404 },
  { target: "page.js", method: "POST", status: 405 },
])("$method $target is answered with $status", async ({ target, method, status }) => {
  expect((await fetch(`${playground.url}${target}`, { method })).status).toBe(status);
});
