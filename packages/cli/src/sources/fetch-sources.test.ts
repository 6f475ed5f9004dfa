/** `check` with CRDs from URLs: a server in this process, a lock file and a cache. */
import { readFileSync } from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { tarGzOf, zipOf } from "@portcullis/checker/internal/input/archives.testing";
import { scratchFolder } from "@portcullis/server/node/scratch.testing";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { check } from "../commands/check.ts";
import { runCommand, WIDGET_CRD } from "../commands/commands.testing.ts";
import { crdLint } from "../commands/crd/crd-lint.ts";

const WIDGET = "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: w}\nspec: {size: 11}\n";
const REFUSED = "spec.size: Invalid value: 11: spec.size in body should be less than or equal to 10";

let contents: Record<string, string | Buffer>;
let requests: string[] = [];
const server = http.createServer((request, response) => {
  requests.push(request.url ?? "");
  const body = contents[request.url ?? ""];
  if (request.url === "/moved") response.writeHead(302, { location: "/crd.yaml" }).end();
  else if (body === undefined) response.writeHead(404).end();
  else response.writeHead(200).end(body);
});
let url = "";

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

let folder = "";
beforeEach(() => {
  folder = scratchFolder();
  vi.stubEnv("XDG_CACHE_HOME", `${folder}/cache`);
  requests = [];
  contents = {
    "/crd.yaml": WIDGET_CRD,
    "/crds.tar.gz": tarGzOf({ "project-1.0/config/crd/widget.yaml": WIDGET_CRD, "project-1.0/README.md": "x" }),
    "/chart.tgz": tarGzOf({
      "app/Chart.yaml": "name: app",
      "app/crds/widget.yaml": WIDGET_CRD,
      "app/templates/x.yaml": "{{ x",
    }),
    "/crds.zip": zipOf({ "crds/widget.yaml": WIDGET_CRD }),
  };
});
afterEach(() => {
  vi.unstubAllEnvs();
});

const run = (...args: readonly string[]) =>
  runCommand(check, ["@/w.yaml", "--lock", "@/lock", ...args], { "w.yaml": WIDGET }, { folder });

test.each(["/crd.yaml", "/crds.tar.gz", "/crds.zip", "/chart.tgz", "/moved"])("CRDs come from %s", async (path) => {
  const { code, stdout } = await run("--crds", `${url}${path}`, "--update-lock");
  expect(stdout).toContain(REFUSED);
  expect(stdout).toContain("1 object, 1 file: 1 error, 0 warnings\n");
  expect(code).toBe(1);
});

test("a locked source is read once and then from the cache", async () => {
  await run("--crds", `${url}/crd.yaml`, "--update-lock");
  expect(readFileSync(`${folder}/lock`, "utf8")).toMatch(/^ {2}sha256: [0-9a-f]{64}$/m);
  requests = [];
  expect((await run("--crds", `${url}/crd.yaml`)).stdout).toContain(REFUSED);
  expect((await run("--crds", `${url}/crd.yaml`, "--offline")).stdout).toContain(REFUSED);
  expect(requests).toEqual([]);
});

test("a locked source that changed is refused until the lock is updated", async () => {
  await run("--crds", `${url}/crd.yaml`, "--update-lock");
  contents["/crd.yaml"] = WIDGET_CRD.replace("maximum: 10", "maximum: 20");
  vi.stubEnv("XDG_CACHE_HOME", `${folder}/empty`);
  await expect(run("--crds", `${url}/crd.yaml`)).rejects.toThrow("has changed since");
  expect(await run("--crds", `${url}/crd.yaml`, "--update-lock")).toMatchObject({ code: 0 });
});

test("without a lock file a source may change, which is reported", async () => {
  const { stdout, stderr } = await runCommand(
    check,
    ["@/w.yaml", "--crds", `${url}/crd.yaml`],
    { "w.yaml": WIDGET },
    { folder },
  );
  expect(stdout).toContain(REFUSED);
  expect(stderr).toContain("may change between runs; --update-lock records its digest in portcullis.lock");
});

test("a damaged file of the cache is downloaded again", async () => {
  await run("--crds", `${url}/crd.yaml`, "--update-lock");
  const digest = /sha256: ([0-9a-f]{64})/.exec(readFileSync(`${folder}/lock`, "utf8"))?.[1];
  const { writeFileSync } = await import("node:fs");
  writeFileSync(`${folder}/cache/portcullis/sources/${digest}`, "damaged");
  requests = [];
  expect((await run("--crds", `${url}/crd.yaml`)).stdout).toContain(REFUSED);
  expect(requests).toEqual(["/crd.yaml"]);
});

test.each([
  { name: "a URL that does not exist", args: ["/gone.yaml", "--update-lock"], says: "the server answered 404" },
  { name: "no lock file", args: ["/crd.yaml"], says: "--update-lock writes it" },
  { name: "a download without CRDs", args: ["/empty.yaml", "--update-lock"], says: "no CRDs found" },
  { name: "contradicting options", args: ["/crd.yaml", "--update-lock", "--offline"], says: "use either" },
])("$name ends the command", async ({ args: [path = "", ...rest], says }) => {
  contents["/empty.yaml"] = "a: 1\n";
  await expect(run("--crds", `${url}${path}`, ...rest)).rejects.toThrow(says);
});

test("a URL that the lock file does not have is refused", async () => {
  await run("--crds", `${url}/crd.yaml`, "--update-lock");
  await expect(run("--crds", `${url}/crds.zip`)).rejects.toThrow("is not in");
  await expect(run("--crds", `${url}/crds.zip`, "--offline")).rejects.toThrow("is not in");
});

test("other commands read URLs and archives too", async () => {
  const files = { "crds.tgz": "" };
  const lint = await runCommand(crdLint, [`${url}/crds.tar.gz`], files, { folder });
  expect(lint).toMatchObject({ code: 0 });
});
