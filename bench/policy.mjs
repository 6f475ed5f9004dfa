/**
 * One request against many policies, ours compared with the dispatcher of the API server's own plugin.
 *
 * A Deployment is created. `in force`: every policy matches Deployments and holds; `others`: one does, all others match
 * other resources. Both contestants get the same policies, must have the same verdict, and are measured in the same
 * session in short alternating batches; the minimum of several repeats counts. Go runs with GOGC=2000, which imitates
 * an API server's large heap and favours it. It gets the Deployment as its Go type, as the API server holds it. Only
 * ratios are comparable across machines.
 */
import { buildGo, formatTime, inScratch, open, ownContestant, row } from "./duel.mjs";
import { deployment, manyPolicies, namespace } from "./policy-objects.mjs";

const ours = ownContestant("policy-ours");

const COUNTS = [1, 10, 100, 1000];

export async function main(options) {
  const effort = options.includes("--quick") ? { repeats: 2, millis: 60 } : { repeats: 6, millis: 200 };
  await inScratch(async (scratch) => {
    const binary = buildGo(scratch, "policy");
    if (binary === undefined) console.log("without a Go compiler there is nothing to compare with");
    const contestants = binary === undefined ? [ours] : [ours, [binary, ["bench"]]];
    await table("in force: all policies are about the request", "all", contestants, effort);
    const [own, other] = await table("others: one policy is about the request", "one", contestants, effort);
    growth("ours", own);
    if (other !== undefined) growth("Go", other);
  });
}

/** The times of each contestant, by count. */
async function table(title, which, commands, effort) {
  console.log(`\n${title}: CPU time of a verdict, and how many times as long Go takes`);
  const times = commands.map(() => []);
  for (const count of COUNTS) {
    const best = await compare({ ...manyPolicies(count, which), namespace, object: deployment }, commands, effort);
    for (const [index, ns] of best.entries()) times[index].push(ns);
    console.log(row(`${count} ${count === 1 ? "policy" : "policies"}`, ...best));
  }
  return times;
}

async function compare(question, commands, { repeats, millis }) {
  const contestants = [];
  for (const [command, args] of commands) contestants.push(await open(command, args, question));
  const messages = new Set(contestants.map(({ first }) => first.message));
  if (messages.size > 1) throw new Error(`different verdicts: ${[...messages].join(" / ")}`);
  for (const { ask } of contestants) await ask({ millis: 5 * millis });
  const best = contestants.map(() => Number.POSITIVE_INFINITY);
  for (let repeat = 0; repeat < repeats; repeat++) {
    for (const [index, { ask }] of contestants.entries()) {
      best[index] = Math.min(best[index], (await ask({ millis })).ns);
    }
  }
  for (const { close } of contestants) await close();
  return best;
}

/** The cost of a policy that does not match. */
function growth(name, times) {
  const [one, last] = [times[0], times.at(-1)];
  const each = (last - one) / (COUNTS.at(-1) - 1);
  console.log(
    `${name}: ${(last / one).toFixed(2)} times as long with ${COUNTS.at(-1)} as with one; ${formatTime(Math.max(each, 0))} for each that is about something else`,
  );
}
