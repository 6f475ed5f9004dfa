/**
 * Starts one of the programs in program.js. What `check` needs is in check.js, which starts faster. If nothing that a
 * `check` depends on has changed since the same run before, repeat.js prints the same again.
 *
 * Compiling is half of the time of a short command. V8 can keep what it compiled: after the first run of a command, its
 * code is stored in the user's cache folder. The name contains the digest of the bundle, because V8 itself compares only
 * the length of the source. NODE_DISABLE_COMPILE_CACHE turns this off, as it does for Node.js' own cache.
 */
const fs = require("node:fs");
const path = require("node:path");
const vm = require("node:vm");

const DIGEST = "BUNDLE_DIGEST";
/** Builds whose code is kept beside that of this one. */
const OTHER_BUILDS = 3;
/** A use is noted once a day. */
const USED_AGAIN_MS = 24 * 60 * 60 * 1000;

module.exports = function launch(program) {
  if (program === "portcullis" && isCheck(program) && require("./repeat.js").repeatRun(DIGEST)) return;
  const file = path.join(__dirname, isCheck(program) ? "check.js" : "program.js");
  const cacheFile = cachePath(program);
  const cachedData = cacheFile === undefined ? undefined : readOwn(cacheFile);
  // The bundle has only ASCII characters.
  const source = fs.readFileSync(file, "latin1");
  const script = new vm.Script(`(function (exports, require, module, __filename, __dirname) {${source}\n})`, {
    filename: file,
    cachedData,
  });
  // Verdicts that another build made are not used.
  globalThis[Symbol.for("portcullis.build")] = DIGEST;
  const module = { exports: {} };
  script.runInThisContext()(module.exports, require, module, file, __dirname);
  module.exports.PROGRAMS[program]();
  if (cacheFile !== undefined && (cachedData === undefined || script.cachedDataRejected)) {
    const storeOnce = () => {
      process.off("exit", storeOnce);
      store(cacheFile, script, cachedData !== undefined);
    };
    process.once("exit", storeOnce);
    // For threads that are ended from outside.
    globalThis[Symbol.for("portcullis.store-code")] = storeOnce;
  }
};

/** The threads are those of `check`. */
function isCheck(program) {
  return program === "worker" || program === "reader" || (program === "portcullis" && process.argv[2] === "check");
}

/** One file for each command: each compiles other functions. */
function cachePath(program) {
  if (process.env.NODE_DISABLE_COMPILE_CACHE !== undefined) return undefined;
  const home = process.env.XDG_CACHE_HOME || (process.env.HOME && path.join(process.env.HOME, ".cache"));
  if (!home || !path.isAbsolute(home)) return undefined;
  const command = /^[a-z-]{1,20}$/.exec(process.argv[2] ?? "")?.[0] ?? "other";
  const name = [DIGEST, process.versions.v8, process.arch, program, command].join("_");
  return path.join(home, "portcullis", "code", name);
}

/** Code that another user wrote is not run. */
function readOwn(cacheFile) {
  try {
    const descriptor = fs.openSync(cacheFile, "r");
    try {
      const { uid, mtimeMs } = fs.fstatSync(descriptor);
      if (process.getuid !== undefined && uid !== process.getuid()) return undefined;
      if (Date.now() - mtimeMs > USED_AGAIN_MS) noteUse(descriptor);
      return fs.readFileSync(descriptor);
    } finally {
      fs.closeSync(descriptor);
    }
  } catch {
    return undefined;
  }
}

/** Its time tells which builds are in use. A file system that is read-only does not matter. */
function noteUse(descriptor) {
  const now = new Date();
  try {
    fs.futimesSync(descriptor, now, now);
  } catch {}
}

/** Several builds may share a home: those that were used last stay. */
function removeOldBuilds(folder) {
  const used = new Map();
  const names = fs.readdirSync(folder);
  for (const name of names) {
    const digest = name.split("_", 1)[0];
    const { mtimeMs = 0 } = fs.statSync(path.join(folder, name), { throwIfNoEntry: false }) ?? {};
    used.set(digest, Math.max(used.get(digest) ?? 0, mtimeMs));
  }
  used.delete(DIGEST);
  const old = [...used.keys()].sort((a, b) => used.get(b) - used.get(a)).slice(OTHER_BUILDS);
  for (const name of names) {
    if (old.includes(name.split("_", 1)[0])) fs.rmSync(path.join(folder, name), { force: true });
  }
}

/** The cache is an optimization: a folder that cannot be written is not an error. */
function store(cacheFile, script, wasRejected) {
  // V8 would reject code that is stored while other flags are set. If it did reject it, the defaults are others.
  const resetFlags = globalThis[Symbol.for("portcullis.reset-flags")];
  if (resetFlags !== undefined && wasRejected) return;
  resetFlags?.();
  const draft = `${cacheFile}.${process.pid}`;
  try {
    const data = script.createCachedData();
    fs.mkdirSync(path.dirname(cacheFile), { recursive: true, mode: 0o700 });
    removeOldBuilds(path.dirname(cacheFile));
    fs.writeFileSync(draft, data, { mode: 0o600 });
    fs.renameSync(draft, cacheFile);
  } catch {
    fs.rmSync(draft, { force: true });
  }
}
