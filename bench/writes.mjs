/**
 * Writes of a Deployment: strict field validation against none, and each patch type and apply compared with the API
 * server's own Go code, in the same run in short alternating batches; the minimum of several repeats counts, and only
 * ratios are comparable across machines. Go runs with GOGC=2000, which imitates an API server's large heap and favours
 * it; it applies no defaults here, ours does.
 */
import { isDeepStrictEqual } from "node:util";
import { buildGo, formatTime, inScratch, measureAll, open, ownContestant, row, warmUp } from "./duel.mjs";

const PHASES = ["ignore", "strict", "json patch", "merge patch", "strategic patch", "apply"];

export async function main(options) {
  const effort = options.includes("--quick") ? { repeats: 2, millis: 50 } : { repeats: 8, millis: 200 };
  await inScratch(async (scratch) => {
    const go = buildGo(scratch, "writes");
    if (go === undefined) console.log("without a Go compiler there is nothing to compare with");
    for (const count of [1, 10]) await compare(count, go, effort);
    await strictness(effort);
    await growth(effort);
  });
}

async function compare(count, go, { repeats, millis }) {
  const question = questionFor(count);
  const ours = await openOurs(question);
  const theirs = go && (await open(go, [], question));
  if (theirs !== undefined) checkSame(ours.first.results, theirs.first.results);
  await warmUp(theirs === undefined ? [ours] : [ours, theirs], PHASES, 8 * millis);
  const best = await measureAll(theirs === undefined ? [ours] : [ours, theirs], PHASES, repeats, millis);
  ours.close();
  theirs?.close();
  console.log(
    `\nDeployment of ${count} containers, ${kilobytes(question).toFixed(1)} KB: CPU time, and how many times as long Go takes`,
  );
  for (const phase of PHASES) console.log(row(phase, best[0].get(phase), best[1]?.get(phase)));
}

/** Contestants with different results are not doing the same work. Fields that Go does not default are left out. */
function checkSame(ours, theirs) {
  for (const phase of PHASES) {
    const [left, right] = [imagesOf(ours[phase]), imagesOf(theirs[phase])];
    if (!isDeepStrictEqual(left, right))
      throw new Error(`${phase}: ${JSON.stringify(left)} and ${JSON.stringify(right)}`);
  }
}

function imagesOf({ metadata, spec }) {
  const containers = spec.template.spec.containers.map(({ name, image, env }) => ({ name, image, env }));
  return { labels: metadata.labels, replicas: spec.replicas, containers };
}

/** The cost of looking for unknown and duplicate fields. */
async function strictness({ repeats, millis }) {
  for (const count of [1, 10, 100]) {
    const ours = await openOurs(questionFor(count));
    await warmUp([ours], ["ignore", "strict"], 8 * millis);
    const [best] = await measureAll([ours], ["ignore", "strict"], repeats * 3, millis);
    const bytes = { ignore: Number.POSITIVE_INFINITY, strict: Number.POSITIVE_INFINITY };
    const runs = Math.ceil(2000 / count);
    for (let repeat = 0; repeat < repeats; repeat++) {
      for (const memory of ["ignore", "strict"])
        bytes[memory] = Math.min(bytes[memory], (await ours.ask({ memory, runs })).bytes);
    }
    ours.close();
    const percent = (strict, ignore) => `${((strict / ignore - 1) * 100).toFixed(1)} %`;
    console.log(
      `\n${count} containers: strict costs ${percent(best.get("strict"), best.get("ignore"))} of the time and ${percent(bytes.strict, bytes.ignore)} of the memory of decoding without`,
    );
  }
}

async function growth({ repeats, millis }) {
  console.log("\ngrowth with the object (time per KB)");
  const phases = ["strict", "json patch", "merge patch", "strategic patch", "apply"];
  console.log(`${"".padStart(10)}${phases.map((phase) => phase.padStart(17)).join("")}`);
  for (const count of [5, 20, 80, 320]) {
    const question = questionFor(count);
    const ours = await openOurs(question);
    await warmUp([ours], phases, 8 * millis);
    const [best] = await measureAll([ours], phases, repeats, millis);
    ours.close();
    const times = phases.map((phase) => formatTime(best.get(phase) / kilobytes(question)).padStart(17));
    console.log(`${`${kilobytes(question).toFixed(0)} KB`.padStart(10)}${times.join("")}`);
  }
}

function questionFor(count) {
  const containers = Array.from({ length: count }, (_, index) => containerFor(index));
  const template = { metadata: { labels: { app: "x" } }, spec: { containers, volumes: [{ name: "v", emptyDir: {} }] } };
  const header = { apiVersion: "apps/v1", kind: "Deployment" };
  const object = {
    ...header,
    metadata: { name: "d", namespace: "default", labels: { app: "x", tier: "web" }, annotations: { note: "n" } },
    spec: { replicas: 2, selector: { matchLabels: { app: "x" } }, template },
  };
  const last = count - 1;
  const changed = { name: `c${last}`, image: "registry.example.com/app:2", env: [{ name: "NEW", value: "1" }] };
  return {
    object,
    jsonPatch: [
      { op: "test", path: "/spec/replicas", value: 2 },
      { op: "replace", path: `/spec/template/spec/containers/${last}/image`, value: changed.image },
      { op: "add", path: "/metadata/labels/new", value: "yes" },
    ],
    mergePatch: { metadata: { labels: { new: "yes", tier: null } }, spec: { replicas: 5 } },
    strategicPatch: { spec: { replicas: 3, template: { spec: { containers: [changed] } } } },
    applied: {
      ...header,
      metadata: { name: "d", namespace: "default", labels: { new: "yes" } },
      spec: { replicas: 4, template: { spec: { containers: [{ name: changed.name, image: changed.image }] } } },
    },
  };
}

function containerFor(index) {
  return {
    name: `c${index}`,
    image: "registry.example.com/app:1",
    imagePullPolicy: "IfNotPresent",
    args: ["--port=8080", "--verbose"],
    env: Array.from({ length: 8 }, (_, at) => ({ name: `VARIABLE_${at}`, value: `value ${at}` })),
    ports: [{ containerPort: 8080, name: `p${index}`, protocol: "TCP" }],
    resources: { limits: { cpu: "500m", memory: "128Mi" }, requests: { cpu: "100m", memory: "64Mi" } },
    volumeMounts: [{ name: "v", mountPath: "/data" }],
    terminationMessagePath: "/dev/termination-log",
    terminationMessagePolicy: "File",
  };
}

function kilobytes({ object }) {
  return JSON.stringify(object).length / 1024;
}

function openOurs(question) {
  const flags = ["--expose-gc", "--max-semi-space-size=512", "--min-semi-space-size=512"];
  return open(...ownContestant("writes-ours", flags), question);
}
