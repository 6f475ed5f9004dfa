/**
 * Kubernetes' own end-to-end specs against our server.
 *
 *     E2E=/path/to/e2e.test node conformance/e2e/run.mjs            every spec of passing.txt has to pass
 *     E2E=… node conformance/e2e/run.mjs --candidates               those of candidates.txt that do not pass yet are tried, one by one
 *     E2E=… node conformance/e2e/run.mjs --focus REGEXP             some of the listed specs
 *
 * The binary is `go test -c ./test/e2e` of the Kubernetes tree, from $E2E or as `e2e.test` on the path; $KUBECTL, or kubectl
 * on the path, is used by the specs that need one, and has to be of the same version for some. $PORTCULLIS names another
 * build of the command line than the one of the working tree. The server is started here, keeps everything in memory, and gets one
 * node, because a few specs look for one. passing.txt only grows: `--candidates --write` adds to it.
 */
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: {
    candidates: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
    focus: { type: "string", default: "" },
    seconds: { type: "string", default: "60" },
  },
});
const here = import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname);
const binary = process.env["E2E"] ?? onPath("e2e.test");
const kubectl = process.env["KUBECTL"] ?? onPath("kubectl");
if (binary === undefined) {
  console.error("skipped: no e2e.test on the path and none in $E2E");
  process.exit(0);
}
const passing = readList("passing.txt");
const scratch = mkdtempSync(path.join(tmpdir(), "e2e-"));
const server = await startServer();
try {
  process.exitCode = values.candidates ? await tryCandidates() : await checkPassing();
} finally {
  server.kill();
  rmSync(scratch, { recursive: true, force: true });
}

async function checkPassing() {
  const wanted = passing.filter((name) => new RegExp(values.focus).test(name));
  const { passed } = await runSpecs(wanted, 60 * 60);
  const missing = wanted.filter((name) => !passed.has(name));
  for (const name of missing) console.log(`does not pass: ${name}`);
  console.log(`${wanted.length - missing.length} of ${wanted.length} listed specs pass`);
  return missing.length === 0 ? 0 : 1;
}

/** One process a spec: some of them wait for ever where something is missing. */
async function tryCandidates() {
  const untried = readList("candidates.txt").filter(
    (name) => !passing.includes(name) && new RegExp(values.focus).test(name),
  );
  const found = [];
  for (const name of untried) {
    const { passed, log } = await runSpecs([name], Number(values.seconds));
    if (passed.has(name)) found.push(name);
    console.log(`${passed.has(name) ? "newly passing" : "not passing"}: ${name}`);
    if (!passed.has(name)) console.log(excerpt(log));
  }
  if (values.write) writeFileSync(path.join(here, "passing.txt"), `${[...passing, ...found].sort().join("\n")}\n`);
  console.log(`${found.length} of ${untried.length} candidates pass now`);
  return 0;
}

function excerpt(log) {
  const lines = log.split("\n").filter((line) => /\[FAILED\]|rror/.test(line));
  return lines
    .slice(0, 4)
    .map((line) => `    ${line.trim().slice(0, 300)}`)
    .join("\n");
}

async function runSpecs(names, seconds) {
  const reports = mkdtempSync(path.join(scratch, "report-"));
  const options = [
    `--kubeconfig=${path.join(scratch, "kubeconfig")}`,
    ...["--provider=skeleton", "--allowed-not-ready-nodes=-1", "--minStartupPods=-1", "--num-nodes=1"],
    ...["--e2e-verify-service-account=false", "--disable-log-dump", "--dump-logs-on-failure=false"],
    ...(kubectl === undefined ? [] : [`--kubectl-path=${kubectl}`]),
    ...names.map((name) => `--ginkgo.focus=${exactly(name)}`),
    ...["--ginkgo.no-color", `--ginkgo.timeout=${seconds}s`, `--report-dir=${reports}`],
  ];
  const log = await capture(binary, options, (seconds + 60) * 1000);
  return { passed: passedIn(reports), log };
}

function passedIn(reports) {
  let xml = "";
  try {
    xml = readFileSync(path.join(reports, "junit_01.xml"), "utf8");
  } catch {
    return new Set();
  }
  const cases = [...xml.matchAll(/<testcase name="([^"]*)"[^>]*?status="(\w+)"/g)];
  return new Set(cases.filter(([, , status]) => status === "passed").map(([, name]) => specName(name)));
}

/** The report puts the kind of node before a name. */
function specName(name) {
  return unescapeXml(name)
    .replace(/^\[It\] /, "")
    .trim();
}

function unescapeXml(text) {
  const entities = { quot: '"', apos: "'", lt: "<", gt: ">", amp: "&", "#34": '"', "#39": "'" };
  return text.replace(/&(quot|apos|lt|gt|amp|#34|#39);/g, (_, entity) => entities[entity]);
}

function exactly(name) {
  return name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

function capture(command, args, milliseconds) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: scratch, stdio: ["ignore", "pipe", "pipe"] });
    let log = "";
    child.stdout.on("data", (chunk) => (log += chunk));
    child.stderr.on("data", (chunk) => (log += chunk));
    const timer = setTimeout(() => child.kill("SIGKILL"), milliseconds);
    child.on("close", () => {
      clearTimeout(timer);
      resolve(log);
    });
  });
}

async function startServer() {
  const kubeconfig = path.join(scratch, "kubeconfig");
  const main = process.env["PORTCULLIS"] ?? path.join(here, "..", "..", "packages", "cli", "dist", "main.js");
  const child = spawn(
    process.execPath,
    [main, "serve", "--secure-port", "0", "--in-memory", "--kubeconfig-out", kubeconfig],
    {
      stdio: "ignore",
    },
  );
  for (let i = 0; i < 300; i++) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    if (addNode(kubeconfig)) return child;
  }
  child.kill();
  throw new Error("the server does not answer");
}

function addNode(kubeconfig) {
  if (kubectl === undefined) return false;
  const node = {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name: "node-1", labels: { "kubernetes.io/hostname": "node-1" } },
    status: { conditions: [{ type: "Ready", status: "True" }] },
  };
  const made = spawnSync(kubectl, ["--kubeconfig", kubeconfig, "apply", "--validate=false", "-f", "-"], {
    input: JSON.stringify(node),
  });
  // Admission taints every new node as not ready, whatever its conditions say.
  const untaint = ["patch", "node", "node-1", "--type=json", "-p", '[{"op":"remove","path":"/spec/taints"}]'];
  return made.status === 0 && spawnSync(kubectl, ["--kubeconfig", kubeconfig, ...untaint]).status === 0;
}

function readList(file) {
  return readFileSync(path.join(here, file), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
}

function onPath(name) {
  return (process.env["PATH"] ?? "")
    .split(path.delimiter)
    .map((folder) => path.join(folder, name))
    .find((file) => spawnSync("test", ["-x", file]).status === 0);
}
