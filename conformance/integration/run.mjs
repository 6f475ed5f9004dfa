/**
 * Runs Kubernetes' integration tests against a server in another process.
 *
 * node conformance/integration/run.mjs --programs DIR --tree DIR --server FILE [--only SUITE] [--run REGEXP] [--minutes N] [--update]
 *
 *   --programs  test programs with the overlay, one per suite, `<suite>.test`
 *   --tree      the Kubernetes checkout; tests read data next to their sources
 *   --server    portcullis-kube-apiserver, or a kube-apiserver as the control
 *   --run       only the tests whose names match
 *   --minutes   the time for one suite (60); a suite that takes longer is ended, and what it has run counts
 *
 * Needs an etcd at KUBE_INTEGRATION_ETCD_URL. Compares top-level tests with `passing.txt`; `--update` adds to it.
 */
import { spawn } from "node:child_process";
import { createWriteStream, existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const EXTENSIONS = "staging/src/k8s.io/apiextensions-apiserver/test/integration";
/** Where each suite is in the tree. */
const SUITES = {
  integration: EXTENSIONS,
  conversion: `${EXTENSIONS}/conversion`,
  admissionwebhook: "test/integration/apiserver/admissionwebhook",
  apiserver: "test/integration/apiserver",
  apply: "test/integration/apiserver/apply",
  auth: "test/integration/auth",
  cel: "test/integration/apiserver/cel",
  discovery: "test/integration/apiserver/discovery",
  disruption: "test/integration/disruption",
  dryrun: "test/integration/dryrun",
  dualstack: "test/integration/dualstack",
  evictions: "test/integration/evictions",
  garbagecollector: "test/integration/garbagecollector",
  namespace: "test/integration/namespace",
  openapi: "test/integration/apiserver/openapi",
  quota: "test/integration/quota",
  service: "test/integration/service",
  serviceaccount: "test/integration/serviceaccount",
  servicecidr: "test/integration/servicecidr",
};

/** Tests that read etcd themselves and end the whole program where they do not find upstream's encoding. */
const SKIPPED = { apply: "TestApplyCRDNoSchema|TestApplyCRDUnhandledSchema" };

const { values } = parseArgs({
  options: {
    programs: { type: "string" },
    tree: { type: "string" },
    server: { type: "string" },
    only: { type: "string" },
    run: { type: "string" },
    minutes: { type: "string", default: "60" },
    update: { type: "boolean", default: false },
  },
});
const { programs, tree, server, only, run, minutes, update } = values;
if (programs === undefined || tree === undefined || server === undefined) {
  console.error("--programs, --tree and --server are required");
  process.exit(2);
}

const listFile = fileURLToPath(new URL("passing.txt", import.meta.url));
const passing = new Set(readFileSync(listFile, "utf8").split("\n").filter(Boolean));
let lost = 0;
for (const [suite, folder] of Object.entries(SUITES)) {
  const program = path.resolve(programs, `${suite}.test`);
  if ((only !== undefined && only !== suite) || !existsSync(program)) continue;
  const { passed, failed, subtests } = await runSuite(suite, program, path.join(tree, folder));
  console.log(`${suite}: ${passed.length} tests and ${subtests} subtests pass, ${failed.length} tests fail`);
  for (const test of failed) {
    const isListed = passing.has(`${suite} ${test}`);
    if (isListed) lost++;
    console.log(`  ${isListed ? "lost" : "fails"} ${test}`);
  }
  for (const test of passed) passing.add(`${suite} ${test}`);
}
if (update) writeFileSync(listFile, `${[...passing].sort().join("\n")}\n`);
process.exit(lost === 0 ? 0 : 1);

/** The whole output goes to a file in the current folder. */
async function runSuite(suite, program, cwd) {
  const isOurs = path.basename(server).startsWith("portcullis");
  const env = {
    ...process.env,
    INTEGRATION_SERVER: path.resolve(server),
    ...(isOurs && { INTEGRATION_KEY_ROOT: "registry" }),
  };
  const selection = [
    ...(run === undefined ? [] : [`-test.run=${run}`]),
    ...(SKIPPED[suite] === undefined ? [] : [`-test.skip=${SKIPPED[suite]}`]),
  ];
  const child = spawn(program, ["-test.v", `-test.timeout=${minutes}m`, ...selection], {
    cwd,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const log = createWriteStream(`${suite}.log`);
  child.stderr.pipe(log, { end: false });
  const [passed, failed] = [[], []];
  let subtests = 0;
  for await (const line of createInterface({ input: child.stdout })) {
    log.write(`${line}\n`);
    const [, indent, outcome, name] = /^( *)--- (PASS|FAIL|SKIP): (\S+)/.exec(line) ?? [];
    if (name === undefined || outcome === "SKIP") continue;
    if (indent !== "") subtests += outcome === "PASS" ? 1 : 0;
    else (outcome === "PASS" ? passed : failed).push(name);
  }
  log.end();
  return { passed, failed, subtests };
}
