/**
 * Makes one executable file of the command line and the test server, for machines without Node.js:
 *
 *   npm run package-binary                    for this machine
 *   npm run package-binary -- --arch arm64    for another processor; its Node.js comes from the npm registry
 *
 * Node's single executable applications are a copy of Node with a script and assets. Called as
 * `portcullis-kube-apiserver` or `kube-apiserver`, it is the test server; the second name is a link to the first.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { brotliCompressSync, constants } from "node:zlib";
import { inject } from "postject";

const root = path.dirname(path.dirname(path.dirname(fileURLToPath(import.meta.url))));
const here = path.join(root, "tools/package-binary");
/** The mark in Node's executable that says whether it has a script; see its documentation. */
const FUSE = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";
const LARGEST = 120_000_000;

const { values } = parseArgs({ options: { arch: { type: "string", default: process.arch }, out: { type: "string" } } });
const { arch } = values;
if (arch !== "x64" && arch !== "arm64") throw new Error(`--arch must be x64 or arm64, not ${arch}`);
if (process.platform !== "linux") throw new Error("executables are made on Linux, for Linux");

const scratch = mkdtempSync(path.join(tmpdir(), "portcullis-binary-"));
try {
  await make(path.resolve(values.out ?? path.join(root, "dist/bin", `linux-${arch}`)));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

async function make(folder) {
  const blob = makeBlob(filesToShip());
  mkdirSync(folder, { recursive: true });
  const target = path.join(folder, "portcullis");
  for (const name of ["portcullis", "portcullis-kube-apiserver"]) rmSync(path.join(folder, name), { force: true });
  copyFileSync(nodeFor(), target);
  chmodSync(target, 0o755);
  if (arch === process.arch) strip(target);
  await inject(target, "NODE_SEA_BLOB", blob, { sentinelFuse: FUSE });
  linkSync(target, path.join(folder, "portcullis-kube-apiserver"));
  const { size } = statSync(target);
  console.log(`${path.relative(process.cwd(), target)}: ${(size / 1e6).toFixed(1)} MB`);
  if (size > LARGEST) throw new Error(`the executable is larger than ${LARGEST / 1e6} MB`);
}

/** Symbols are a tenth of the file and of no use here; without the tool they stay. */
function strip(file) {
  try {
    execFileSync("strip", ["--strip-unneeded", file], { stdio: "ignore" });
  } catch {
    console.error("strip is not installed: the executable keeps its symbols");
  }
}

function makeBlob(files) {
  const list = files.map(([name, bytes]) => [name, bytes.length]);
  const head = Buffer.from(JSON.stringify(list));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(head.length);
  const packed = Buffer.concat([length, head, ...files.map(([, bytes]) => bytes)]);
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 24 };
  writeFileSync(path.join(scratch, "files"), brotliCompressSync(packed, { params }));
  writeFileSync(path.join(scratch, "id"), createHash("sha256").update(packed).digest("hex").slice(0, 16));
  const config = {
    main: path.join(here, "start.cjs"),
    output: path.join(scratch, "blob"),
    disableExperimentalSEAWarning: true,
    assets: { files: path.join(scratch, "files"), id: path.join(scratch, "id") },
  };
  writeFileSync(path.join(scratch, "config.json"), JSON.stringify(config));
  execFileSync(process.execPath, ["--experimental-sea-config", path.join(scratch, "config.json")], { stdio: "ignore" });
  return readFileSync(config.output);
}

/** Name and content: the bundle, the playground, and the packages that cannot be bundled. */
function filesToShip() {
  const cli = path.join(root, "packages/cli");
  return [
    ["load.cjs", readFileSync(path.join(here, "load.cjs"))],
    ["package.json", Buffer.from('{"type":"module"}')],
    ...tree(path.join(cli, "dist/bundle"), "bundle"),
    ...tree(path.join(root, "packages/playground/dist"), "playground"),
    ...externalPackages(["libsql", nativeStore()]).flatMap(([name, folder]) => tree(folder, `node_modules/${name}`)),
  ].sort(([one], [other]) => (one < other ? -1 : 1));
}

function nativeStore() {
  return `@libsql/linux-${arch}-gnu`;
}

/** The packages and everything they need, each once: name and folder. */
function externalPackages(names) {
  const found = new Map();
  const visit = (name, from) => {
    if (found.has(name)) return;
    const folder = folderOf(name, from);
    found.set(name, folder);
    const { dependencies = {} } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8"));
    for (const each of Object.keys(dependencies)) visit(each, folder);
  };
  for (const name of names) visit(name, root);
  return [...found];
}

function folderOf(name, from) {
  for (let folder = from; ; folder = path.dirname(folder)) {
    const place = path.join(folder, "node_modules", name);
    if (existsSync(path.join(place, "package.json"))) return place;
    if (folder === path.dirname(folder)) return fetched(name, versionOf(name));
  }
}

function versionOf(name) {
  const lock = JSON.parse(readFileSync(path.join(root, "package-lock.json"), "utf8"));
  const { version } = lock.packages[`node_modules/${name}`] ?? {};
  if (version === undefined) throw new Error(`${name} is not in package-lock.json`);
  return version;
}

/** A package of another platform, which npm does not install here. */
function fetched(name, version) {
  const folder = path.join(scratch, name.replace("/", "+"));
  mkdirSync(folder, { recursive: true });
  const packed = execFileSync("npm", ["pack", `${name}@${version}`, "--silent"], { cwd: folder, encoding: "utf8" });
  execFileSync("tar", ["-xzf", packed.trim()], { cwd: folder });
  return path.join(folder, "package");
}

function nodeFor() {
  if (arch === process.arch) return process.execPath;
  return path.join(fetched(`node-linux-${arch}`, process.versions.node), "bin/node");
}

/** Without sources, types and maps: nothing reads them. */
function tree(folder, name) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const full = path.join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === "node_modules" ? [] : tree(full, `${name}/${entry.name}`);
    if (/\.(?:map|ts|md)$/.test(entry.name)) return [];
    return [[`${name}/${entry.name}`, readFileSync(full)]];
  });
}
