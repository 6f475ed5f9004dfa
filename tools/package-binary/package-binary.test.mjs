/** The executable runs without Node.js, npm and everything else on PATH. */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { get } from "node:https";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { TestEditor } from "@portcullis/lsp/internal/server/editor.testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { formula } from "./homebrew.mjs";
import { krewManifest } from "./krew.mjs";

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.dirname(path.dirname(here));
const folder = mkdtempSync(path.join(tmpdir(), "portcullis-executable-"));
const program = path.join(folder, "portcullis");
const POD = "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec: {}\n";

const isLinux = process.platform === "linux";
const onLinux = test.runIf(isLinux); // executables are made for Linux, on Linux

beforeAll(() => {
  if (!isLinux) return;
  const isBuilt = existsSync(path.join(root, "packages/cli/dist/bundle/portcullis.js"));
  if (!isBuilt) execFileSync("node", [path.join(root, "tools/setup.mjs"), "--build"], { stdio: "ignore" });
  execFileSync("node", [path.join(here, "package-binary.mjs"), "--out", folder], { stdio: "ignore" });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(args, { input, home = path.join(folder, "home"), name = "portcullis" } = {}) {
  mkdirSync(home, { recursive: true });
  return spawnSync(path.join(folder, name), args, {
    env: { HOME: home, PATH: "" },
    input,
    encoding: "utf8",
    cwd: folder,
  });
}

onLinux("it checks a manifest on an empty PATH and is small enough", () => {
  const { stdout, status } = run(["check", "-"], { input: POD });
  expect(stdout).toContain("spec.containers: Required value");
  expect(status).toBe(1);
  expect(statSync(program).size).toBeLessThan(120_000_000);
});

onLinux("under its second name it is the test server", () => {
  expect(run(["--version"], { name: "portcullis-kube-apiserver" }).stdout).toMatch(/^Kubernetes v1\.\d+\.\d+/);
});

onLinux("it unpacks itself once, and never runs code from a folder that others can write to", () => {
  const home = path.join(folder, "other");
  const cache = path.join(home, ".cache/portcullis");
  // Beside it is the code that V8 keeps.
  const unpacked = () => readdirSync(cache).filter((name) => name !== "code");
  run(["--version"], { home });
  const before = unpacked();
  run(["--version"], { home });
  expect(unpacked()).toEqual(before);
  expect(before).toHaveLength(1);
  chmodSync(cache, 0o777);
  expect(run(["--version"], { home }).stdout).toContain("portcullis");
  expect(unpacked()).toEqual(before);
});

onLinux("the server keeps objects in its embedded store", async () => {
  const args = [
    "serve",
    "--data-dir",
    path.join(folder, "data"),
    "--secure-port",
    "0",
    "--kubeconfig-out",
    "kubeconfig",
  ];
  const env = { HOME: path.join(folder, "home"), PATH: "" };
  const server = spawn(program, args, { env, cwd: folder });
  try {
    const port = await new Promise((resolve, reject) => {
      let text = "";
      server.stdout.on("data", (part) => {
        text += part;
        const found = /127\.0\.0\.1:(\d+)/.exec(text)?.[1];
        if (found !== undefined) resolve(Number(found));
      });
      server.on("exit", () => reject(new Error(text)));
    });
    const options = { port, host: "127.0.0.1", path: "/readyz", rejectUnauthorized: false };
    const code = await new Promise((resolve) => get(options, (answer) => resolve(answer.resume().statusCode)));
    expect(code).toBe(200);
    expect(readdirSync(path.join(folder, "data")).length).toBeGreaterThan(0);
  } finally {
    server.kill("SIGKILL");
  }
});

test("the krew manifest names each archive with its digest", () => {
  const text = krewManifest("1.2.3", { x64: "a".repeat(64), arm64: "b".repeat(64) });
  expect(text).toContain("version: v1.2.3");
  expect(text.match(/sha256: \w{64}/g)).toEqual([`sha256: ${"a".repeat(64)}`, `sha256: ${"b".repeat(64)}`]);
  expect(text).toContain("bin: kubectl-portcullis");
});

onLinux("it serves an editor on an empty PATH", async () => {
  const env = { HOME: path.join(folder, "home"), PATH: "" };
  const child = spawn(program, ["lsp", "--stdio"], { env, stdio: ["pipe", "pipe", "inherit"] });
  const ended = new Promise((resolve) => child.on("exit", resolve));
  const editor = new TestEditor(folder, { input: child.stdout, output: child.stdin });
  await editor.start();
  await editor.open("pod.yaml", POD);
  const [found] = await editor.diagnostics("pod.yaml");
  expect(found?.message).toBe("spec.containers: Required value");
  await editor.stop();
  expect(await ended).toBe(0);
});

test("the formula for Homebrew has an address and a digest for each archive", () => {
  const text = formula("1.2.3", { x64: "a".repeat(64), arm64: "b".repeat(64) }, "c".repeat(64));
  expect(text.match(/sha256 "(\w{64})"/g)).toHaveLength(3);
  expect(text.match(/\/v1\.2\.3\/[\w.-]+/g)).toEqual([
    "/v1.2.3/portcullis-1.2.3.tgz",
    "/v1.2.3/kubectl-portcullis-linux-x64.tar.gz",
    "/v1.2.3/kubectl-portcullis-linux-arm64.tar.gz",
  ]);
  expect(text).toContain('bin.install "kubectl-portcullis" => "portcullis"');
});
