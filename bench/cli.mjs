/**
 * `portcullis check` compared with kubeconform on the same generated manifests: the same files, the same kinds,
 * offline, both cores. Ours also checks CEL rules, names and defaults, which kubeconform does not.
 *
 * kubeconform is taken from PATH, $GOBIN or $(go env GOPATH)/bin; its schemas are made from the data of our own engine,
 * in its file layout. Runs alternate, and the minimum wall time and processor time of each count. Both must find
 * exactly the broken manifests.
 *
 *   npm run bench -- cli [--quick] [--keep FOLDER]
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import path from "node:path";
import { writeDefinition, writeManifests, writeSchemas } from "./cli-manifests.mjs";
import { childTime, findProgram } from "./programs.mjs";

const here = import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname);
const ours = path.join(here, "../packages/cli/dist/bundle/portcullis.js");

export async function main(options) {
  const quick = options.includes("--quick");
  const keep = options.includes("--keep") ? options[options.indexOf("--keep") + 1] : undefined;
  const folder = keep ?? mkdtempSync(path.join(tmpdir(), "bench-"));
  mkdirSync(folder, { recursive: true });
  try {
    const count = quick ? 1000 : 10_000;
    const broken = writeManifests(folder, count);
    const contestants = contestantsIn(folder);
    console.log(`${count} manifests in as many files, ${broken} of them broken; ${availableParallelism()} processors`);
    report(measure(contestants, broken, quick ? 2 : 5), count);
    startTime();
  } finally {
    if (keep === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

function contestantsIn(folder) {
  const crds = writeDefinition(folder);
  const schemas = writeSchemas(folder);
  const manifests = path.join(folder, "manifests");
  const workers = String(availableParallelism());
  const list = [
    {
      name: "portcullis check",
      command: process.execPath,
      args: [ours, "check", manifests, crds, "-o", "json", "--no-cache"],
      broken: brokenInReport,
    },
    {
      name: "portcullis check, one thread",
      command: process.execPath,
      args: [ours, "check", manifests, crds, "-o", "json", "--no-cache", "--jobs", "1"],
      broken: brokenInReport,
    },
    {
      // The first of the repeats fills the cache; the minimum counts.
      name: "portcullis check, unchanged",
      command: process.execPath,
      args: [ours, "check", manifests, crds, "-o", "json"],
      broken: brokenInReport,
      env: { ...process.env, XDG_CACHE_HOME: path.join(folder, "cache") },
    },
  ];
  const binary = findProgram("kubeconform");
  if (binary === undefined) console.log("kubeconform is neither on PATH nor in GOBIN; only ours is measured");
  else {
    const args = ["-strict", "-output", "json", "-n", workers, "-schema-location", schemas, manifests];
    list.push({ name: "kubeconform", command: binary, args, broken: brokenInKubeconform });
  }
  return list;
}

function brokenInReport(text) {
  return new Set(
    JSON.parse(text)
      .findings.filter(({ severity }) => severity === "error")
      .map(({ file }) => file),
  ).size;
}

function brokenInKubeconform(text) {
  return new Set(JSON.parse(text).resources.map(({ filename }) => filename)).size;
}

function measure(contestants, broken, repeats) {
  const best = contestants.map(({ name }) => ({ name, wall: Number.POSITIVE_INFINITY, cpu: Number.POSITIVE_INFINITY }));
  for (let repeat = 0; repeat < repeats; repeat++) {
    for (const [index, contestant] of contestants.entries()) {
      const { wall, cpu, stdout } = runOnce(contestant);
      const found = contestant.broken(stdout);
      if (found !== broken) throw new Error(`${contestant.name} found ${found} broken manifests instead of ${broken}`);
      best[index].wall = Math.min(best[index].wall, wall);
      best[index].cpu = Math.min(best[index].cpu, cpu);
    }
  }
  return best;
}

function runOnce({ command, args, env = process.env }) {
  const before = childTime();
  const start = performance.now();
  const { stdout, stderr, status, error } = spawnSync(command, args, { encoding: "utf8", maxBuffer: 1 << 28, env });
  const wall = performance.now() - start;
  if (error !== undefined || status > 1)
    throw new Error(`${command} ended with ${status}: ${error?.message ?? stderr}`);
  return { wall, cpu: childTime() - before, stdout };
}

function report(best, count) {
  const other = best.find(({ name }) => name === "kubeconform");
  console.log("\n                                  wall ms   processor ms   manifests a second   against kubeconform");
  for (const { name, wall, cpu } of best) {
    const ratio =
      other === undefined || name === "kubeconform" ? "" : `${(other.wall / wall).toFixed(2)} times as fast`;
    console.log(
      `${name.padEnd(32)}${wall.toFixed(0).padStart(9)}${cpu.toFixed(0).padStart(15)}${((count / wall) * 1000).toFixed(0).padStart(21)}   ${ratio}`,
    );
  }
}

/** The cost of a single small file is mostly startup. */
function startTime() {
  const times = Array.from({ length: 5 }, () => {
    const start = performance.now();
    spawnSync(process.execPath, [ours, "check", "-"], {
      input: "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n",
    });
    return performance.now() - start;
  });
  console.log(`\none object on standard input: ${Math.min(...times).toFixed(0)} ms from start to end`);
}
