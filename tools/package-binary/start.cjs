/**
 * The main script inside the executable. It unpacks the program once per user and version, then runs it.
 *
 * Unpacked, because the embedded store is a native library, which can only be loaded from a file, and because the
 * commands are separate modules that are loaded on demand.
 */
"use strict";
const fs = require("node:fs");
const { createRequire } = require("node:module");
const os = require("node:os");
const path = require("node:path");
const { getAsset, getRawAsset } = require("node:sea");
const { brotliDecompressSync } = require("node:zlib");

const id = getAsset("id", "utf8");
const folder = findFolder();
const script = takeScript();
// Loaded from a file, a module can import others; the script inside the executable cannot.
createRequire(path.join(folder, "load.cjs"))("./load.cjs")(script);

/** Child processes are started as `EXECUTABLE SCRIPT ARGUMENTS...`, where the script is one of ours. */
function takeScript() {
  const given = process.argv[2];
  if (given !== undefined && path.isAbsolute(given) && given.startsWith(folder + path.sep)) {
    process.argv.splice(2, 1);
    return given;
  }
  const [name] = /(?:kube-apiserver|etcd)$/.exec(path.basename(process.argv0)) ?? [];
  return path.join(folder, "bundle", name === undefined ? "portcullis.js" : `portcullis-${name}.js`);
}

function findFolder() {
  const cache = process.env.PORTCULLIS_CACHE ?? process.env.XDG_CACHE_HOME ?? homeCache();
  const places = [cache && path.join(cache, "portcullis"), path.join(os.tmpdir(), `portcullis-${process.getuid?.()}`)];
  for (const place of places) {
    if (place === undefined) continue;
    try {
      return unpackedIn(place);
    } catch {
      // Not writable, or not ours: the next place.
    }
  }
  const own = fs.mkdtempSync(path.join(os.tmpdir(), "portcullis-"));
  process.on("exit", () => fs.rmSync(own, { recursive: true, force: true }));
  unpack(own);
  return own;
}

function homeCache() {
  const home = process.env.HOME;
  return home === undefined || home === "" ? undefined : path.join(home, ".cache");
}

function unpackedIn(place) {
  fs.mkdirSync(place, { recursive: true, mode: 0o700 });
  checkOwner(place);
  const target = path.join(place, id);
  if (fs.existsSync(target)) {
    checkOwner(target);
    return target;
  }
  // Renamed when complete, so that two first starts at once do not see half of it.
  const draft = fs.mkdtempSync(path.join(place, "new-"));
  unpack(draft);
  try {
    fs.renameSync(draft, target);
  } catch (problem) {
    fs.rmSync(draft, { recursive: true, force: true });
    if (!fs.existsSync(target)) throw problem;
  }
  return target;
}

/** Code is only run from folders that nobody else can write to. */
function checkOwner(place) {
  const { uid, mode } = fs.lstatSync(place);
  if (process.getuid !== undefined && (uid !== process.getuid() || (mode & 0o022) !== 0)) {
    throw new Error(`${place} can be written by others`);
  }
}

/** The length of the list of files as four bytes, the list as JSON, then the files. */
function unpack(target) {
  const bytes = brotliDecompressSync(Buffer.from(getRawAsset("files")));
  const length = bytes.readUInt32LE(0);
  let at = 4 + length;
  for (const [name, size] of JSON.parse(bytes.toString("utf8", 4, at))) {
    const file = path.join(target, name);
    fs.mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    fs.writeFileSync(file, bytes.subarray(at, at + size), { mode: 0o600 });
    at += size;
  }
}
