/** Shared code of the project checks: the files of the repository, and lists of old breaches that may only shrink. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));

/** Tracked and new files below the given paths, relative to the root and sorted. */
export function listFiles(...paths) {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", ...paths];
  const names = execFileSync("git", args, { cwd: root, maxBuffer: 1 << 26, encoding: "utf8" }).split("\0");
  return [...new Set(names)].filter((name) => name !== "" && existsSync(path.join(root, name))).sort();
}

export function read(name) {
  return readFileSync(path.join(root, name), "utf8");
}

export function isTest(name) {
  return /\.(test|testing)\.ts$/.test(name);
}

/** Source modules of the packages, without tests and generated files. */
export function listSources() {
  return listFiles("packages").filter(
    (name) => /^packages\/[^/]+\/src\/.*\.ts$/.test(name) && !isTest(name) && !name.includes("/generated/"),
  );
}

/**
 * Compares what was found with the list of known breaches in `pending/NAME.txt`: one line per key with the number that
 * is accepted. More than that, or a key that is not listed, fails. So does a key that is listed without need, so that the
 * list only shrinks. `--update` lowers and removes entries but never adds any; `--init` writes the list anew.
 *
 * `found` maps each key to its breaches, as lines to print. Returns the number of new breaches.
 */
export function checkPending(name, found) {
  const file = `tools/check/pending/${name}.txt`;
  const known = readPending(file);
  const counts = new Map([...found].map(([key, lines]) => [key, lines.length]).filter(([, count]) => count > 0));
  if (process.argv.includes("--init")) return writePending(file, counts);
  if (process.argv.includes("--update")) {
    const lower = [...known].flatMap(([key, limit]) =>
      counts.has(key) ? [[key, Math.min(limit, counts.get(key))]] : [],
    );
    writePending(file, new Map(lower));
  }
  let problems = 0;
  for (const [key, lines] of found) {
    const limit = known.get(key) ?? 0;
    if (lines.length <= limit) continue;
    problems++;
    for (const line of lines) console.error(line);
    if (limit > 0) console.error(`${key}: ${lines.length} breaches, ${limit} are accepted in ${file}`);
  }
  if (process.argv.includes("--update")) return problems;
  for (const key of known.keys()) {
    if (counts.has(key)) continue;
    problems++;
    console.error(`${key}: no breach left; remove it from ${file} (or run the check with --update)`);
  }
  return problems;
}

function readPending(file) {
  if (!existsSync(path.join(root, file))) return new Map();
  const lines = read(file).split("\n");
  return new Map(
    lines.filter((line) => /^\d/.test(line)).map((line) => [line.replace(/^\d+ /, ""), Number.parseInt(line, 10)]),
  );
}

function writePending(file, counts) {
  const keys = [...counts.keys()].sort();
  const head = "# Accepted breaches: number and place. This list may only shrink; see tools/check/repository.mjs.\n";
  writeFileSync(path.join(root, file), head + keys.map((key) => `${counts.get(key)} ${key}\n`).join(""));
  return 0;
}

/** Prints one line for the check and sets the exit code. */
export function finish(what, problems) {
  console.error(`${what}: ${problems === 0 ? "ok" : `${problems} problem${problems === 1 ? "" : "s"}`}`);
  if (problems > 0) process.exitCode = 1;
}
