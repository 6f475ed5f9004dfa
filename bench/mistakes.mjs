/**
 * The share of true mistakes that validators find: creates of built-in objects with the recorded answer of
 * kube-apiserver, each one as a file of its own. Accepted objects that a validator refuses count against it.
 *
 * kubeconform and flux-schema are taken from PATH, $GOBIN or $(go env GOPATH)/bin. kubeconform gets schemas made from
 * the data of our own engine; flux-schema gets those of the folder that FLUX_SCHEMA_CATALOG names, because its own are
 * on the network.
 *
 *   npm run bench -- mistakes
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { writeSchemas } from "./cli-manifests.mjs";
import { childTime, findProgram } from "./programs.mjs";

const here = import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname);
const ours = path.join(here, "../packages/cli/dist/bundle/portcullis.js");
const corpus = path.join(here, "../conformance/corpora/vectors/mistakes.json.gz");

/** The version that the answers were recorded with. */
const VERSION = ["--kube-version", "1.36"];

export async function main() {
  const folder = mkdtempSync(path.join(tmpdir(), "bench-"));
  try {
    const objects = readObjects();
    const manifests = path.join(folder, "manifests");
    mkdirSync(manifests);
    // JSON is YAML; some validators read only files of that name.
    for (const { file, object } of objects) writeFileSync(path.join(manifests, file), JSON.stringify(object));
    const refused = new Set(objects.filter(({ isRefused }) => isRefused).map(({ file }) => file));
    console.log(
      `${objects.length} objects; kube-apiserver refuses ${refused.size} and accepts ${objects.length - refused.size}\n`,
    );
    console.log("                      mistakes found   accepted objects refused   processor ms");
    for (const contestant of contestantsIn(folder, manifests)) show(contestant, refused, objects.length);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Creates that need nothing else in the cluster, and whose answer does not depend on it, on the address of the request
 * or on how strict the client is about unknown fields.
 */
function readObjects() {
  const { vectors } = JSON.parse(gunzipSync(readFileSync(corpus)).toString("utf8"));
  return vectors.flatMap(({ setup, steps: [step], expect: [{ code, message = "", warnings = [] }] }, index) => {
    if ((setup?.length ?? 0) > 0 || step.method !== "POST" || ![201, 400, 422].includes(code)) return [];
    if (/does not match the namespace/.test(message) || warnings.some((each) => /unknown field/.test(each))) return [];
    const object = JSON.parse(JSON.stringify(step.body).replaceAll("{{n}}", `n${index}`));
    return [{ file: `${index}.yaml`, object, isRefused: code !== 201 }];
  });
}

function contestantsIn(folder, manifests) {
  const list = [
    {
      name: "portcullis check",
      command: process.execPath,
      args: [
        ours,
        "check",
        manifests,
        "-o",
        "json",
        "--no-cache",
        "--show",
        "all",
        "--ip-families",
        "ipv4",
        ...VERSION,
      ],
      refused: refusedInReport,
    },
  ];
  const kubeconform = findProgram("kubeconform");
  if (kubeconform !== undefined) {
    const args = [
      "-strict",
      "-output",
      "json",
      "-ignore-missing-schemas",
      "-schema-location",
      writeSchemas(folder),
      manifests,
    ];
    list.push({ name: "kubeconform", command: kubeconform, args, refused: refusedByKubeconform });
  }
  const fluxSchema = findProgram("flux-schema");
  const catalog = process.env.FLUX_SCHEMA_CATALOG;
  if (fluxSchema !== undefined && catalog !== undefined) {
    const workers = String(availableParallelism());
    const args = [
      "validate",
      manifests,
      "-o",
      "json",
      "--skip-missing-schemas",
      "--concurrent",
      workers,
      "-s",
      catalog,
    ];
    list.push({ name: "flux-schema", command: fluxSchema, args, refused: refusedByFluxSchema });
  }
  return list;
}

function refusedInReport(text) {
  const findings = JSON.parse(text).findings.filter(
    ({ severity, rule }) => severity === "error" && rule !== "input/duplicate",
  );
  return findings.map(({ file }) => file);
}

function refusedByKubeconform(text) {
  return JSON.parse(text)
    .resources.filter(({ status }) => status === "statusInvalid" || status === "statusError")
    .map(({ filename }) => filename);
}

function refusedByFluxSchema(text) {
  const { results } = JSON.parse(text).report;
  return results.filter(({ status }) => status === "invalid").map(({ source }) => source);
}

function show({ name, command, args, refused }, truth, total) {
  const before = childTime();
  const { stdout, stderr, status, error } = spawnSync(command, args, { encoding: "utf8", maxBuffer: 1 << 28 });
  const time = childTime() - before;
  if (error !== undefined || status > 1) throw new Error(`${name} ended with ${status}: ${error?.message ?? stderr}`);
  const found = new Set(refused(stdout).map((file) => path.basename(file)));
  const right = [...found].filter((file) => truth.has(file)).length;
  const share = `${right} (${((100 * right) / truth.size).toFixed(1)} %)`;
  const wrong = `${found.size - right} of ${total - truth.size}`;
  console.log(`${name.padEnd(20)}${share.padStart(16)}${wrong.padStart(27)}${time.toFixed(0).padStart(15)}`);
}
