/**
 * A custom resource through the whole pipeline, ours compared with the API server's own Go code, phase by phase.
 *
 * Both run in the same session in short alternating batches, and the minimum of several repeats counts, because that is
 * reproducible on a shared machine. Only ratios are comparable across machines. Go runs with GOGC=2000, which imitates
 * an API server's large heap and favours it. Single phases get an object that is already pruned and defaulted; `create`
 * and `update` start from the text. The CRDs come from the conformance corpus.
 */
import { buildGo, formatTime, inScratch, measureAll, open, ownContestant, row } from "./duel.mjs";
import { httpRoute, prometheus, schemaOf } from "./engine-objects.mjs";

const ROUTE = ["httproutes.gateway.networking.k8s.io-standard", "v1"];
const PROMETHEUS = ["prometheuses.monitoring.coreos.com", "v1"];
const PHASES = ["decode", "prune", "default", "schema", "list types", "rules", "create", "update"];

export async function main(options) {
  const effort = options.includes("--quick") ? { repeats: 2, millis: 60 } : { repeats: 6, millis: 200 };
  await inScratch(async (scratch) => {
    const go = buildGo(scratch, "engine");
    if (go === undefined) console.log("without a Go compiler there is nothing to compare with");
    await compare("HTTPRoute, 12 rules", schemaOf(...ROUTE), httpRoute(12), go, effort);
    await compare("Prometheus, 40 containers", schemaOf(...PROMETHEUS), prometheus(40), go, effort);
    await ownSwitches(effort);
    await growth(effort);
  });
}

async function compare(title, schema, object, go, { repeats, millis }) {
  const question = { schema, object };
  const ours = await openOurs(question);
  const theirs = go && (await open(go, ["bench"], { ...question, root: true }));
  reportErrors(title, ours, theirs);
  const best = await measureAll(theirs === undefined ? [ours] : [ours, theirs], PHASES, repeats, millis);
  ours.close();
  theirs?.close();
  console.log(
    `\n${title}, ${(JSON.stringify(object).length / 1024).toFixed(1)} KB: CPU time, and how many times as long Go takes`,
  );
  for (const phase of PHASES) console.log(row(phase, best[0].get(phase), best[1]?.get(phase)));
}

/** The cost of the options: ratcheting and strict field validation. */
async function ownSwitches({ repeats, millis }) {
  const phases = ["create", "strict", "update", "update without ratcheting"];
  for (const [title, schema, object] of [
    ["HTTPRoute", schemaOf(...ROUTE), httpRoute(12)],
    ["Prometheus", schemaOf(...PROMETHEUS), prometheus(40)],
  ]) {
    const ours = await openOurs({ schema, object });
    const [best] = await measureAll([ours], phases, repeats * 2, millis);
    ours.close();
    const percent = (with_, without) => `${((best.get(with_) / best.get(without) - 1) * 100).toFixed(1)} %`;
    console.log(
      `\n${title}: ratcheting costs ${percent("update", "update without ratcheting")} of an update that is valid`,
    );
    console.log(`${title}: strict field validation costs ${percent("strict", "create")} of a create`);
  }
}

/** Time per kilobyte for growing objects, and per object for growing schemas of which the object uses little. */
async function growth({ repeats, millis }) {
  console.log("\ngrowth with the object (Prometheus, time of a create per KB)");
  for (const count of [5, 20, 80, 320]) {
    const object = prometheus(count);
    const kilobytes = JSON.stringify(object).length / 1024;
    const best = await createTime({ schema: schemaOf(...PROMETHEUS), object }, repeats, millis);
    console.log(`${`${kilobytes.toFixed(0)} KB`.padStart(10)}  ${formatTime(best / kilobytes)}`);
  }
  console.log("\ngrowth with the schema (HTTPRoute beside other properties, time of a create)");
  for (const count of [0, 10, 100]) {
    const schema = schemaOf(...ROUTE);
    for (let i = 0; i < count; i++) schema.properties.spec.properties[`other${i}`] = schemaOf(...ROUTE).properties.spec;
    const best = await createTime({ schema, object: httpRoute(4) }, repeats, millis);
    console.log(`${`${count} more`.padStart(10)}  ${formatTime(best)}`);
  }
}

async function createTime(question, repeats, millis) {
  const ours = await openOurs(question);
  const [best] = await measureAll([ours], ["create"], repeats, millis);
  ours.close();
  return best.get("create");
}

function openOurs(question) {
  return open(...ownContestant("engine-ours"), question);
}

/** Contestants with different results are not doing the same work, and one that refuses does less of it. */
function reportErrors(title, ours, theirs) {
  if ((ours.first.errors ?? []).length > 0)
    throw new Error(`${title} is refused: ${(ours.first.errors ?? []).slice(0, 3).join("; ")}`);
  if ((theirs?.first.errors?.length ?? 0) > 0)
    throw new Error(`Go refuses ${title}: ${JSON.stringify(theirs.first.errors.slice(0, 3))}`);
}
