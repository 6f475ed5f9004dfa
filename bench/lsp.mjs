/**
 * The language server beside yaml-language-server: time from a keystroke to diagnostics in a file of 3,000 lines, and
 * memory in a workspace with 500 CRDs. Both get the same files and the same keystrokes over the protocol;
 * yaml-language-server gets the schema of the kind as JSON Schema, which has no rules, names or policies.
 *
 * yaml-language-server is taken from PATH or $YAML_LANGUAGE_SERVER; it is skipped if there is none. Other work on the
 * machine makes wall times longer, so the processor time of the server for each keystroke is printed too.
 *
 *   npm run bench -- lsp [--quick]
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import protocol from "vscode-languageserver/node";
import { crdText, manifestsText, schemaOf } from "./lsp-workspace.mjs";

const ours = path.join(import.meta.dirname, "../packages/cli/dist/bundle/portcullis.js");
const LINES = 3000;
const CRDS = 500;

export async function main(options) {
  const keystrokes = options.includes("--quick") ? 8 : 40;
  const root = mkdtempSync(path.join(tmpdir(), "bench-lsp-"));
  try {
    const files = writeWorkspace(root);
    console.log(`${CRDS} CRDs, files of ${LINES} lines, ${keystrokes} keystrokes in each`);
    console.log(`${"server, file".padEnd(44)}  best ms  median ms  CPU ms  memory MB`);
    for (const server of servers(root)) await measure(server, root, files, keystrokes);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function writeWorkspace(root) {
  mkdirSync(path.join(root, "crds"));
  for (let index = 0; index < CRDS; index++) writeFileSync(path.join(root, `crds/${index}.yaml`), crdText(index, 400));
  writeFileSync(path.join(root, "schema.json"), JSON.stringify(schemaOf(0, 400)));
  const texts = { "manifests.yaml": manifestsText(0, LINES), "crd.yaml": crdText(CRDS, LINES) };
  for (const [name, text] of Object.entries(texts)) writeFileSync(path.join(root, name), text);
  return texts;
}

function servers(root) {
  const list = [{ name: "portcullis", command: process.execPath, args: [ours, "lsp", "--stdio"], settings: {} }];
  const other = process.env["YAML_LANGUAGE_SERVER"] ?? onPath("yaml-language-server");
  if (other === undefined || !existsSync(other)) {
    console.log("yaml-language-server is neither on the path nor in $YAML_LANGUAGE_SERVER: it is not measured");
    return list;
  }
  const schemas = { [pathToFileURL(path.join(root, "schema.json")).href]: "manifests.yaml" };
  const settings = { yaml: { validate: true, schemaStore: { enable: false }, schemas } };
  return [...list, { name: "yaml-language-server", command: process.execPath, args: [other, "--stdio"], settings }];
}

function onPath(name) {
  const { status, stdout } = spawnSync("which", [name], { encoding: "utf8" });
  return status === 0 ? stdout.trim() : undefined;
}

async function measure(server, root, files, keystrokes) {
  const child = spawn(server.command, server.args, { cwd: root, stdio: ["pipe", "pipe", "ignore"] });
  const client = new Client(child, server.settings);
  await client.start(root);
  for (const [name, text] of Object.entries(files)) {
    if (server.name !== "portcullis" && name !== "manifests.yaml") continue;
    const uri = pathToFileURL(path.join(root, name)).href;
    await client.open(uri, text);
    // The code is compiled while it runs for the first times.
    for (let index = 0; index < 5; index++) await client.edit(uri, text, index);
    const cpu = cpuMs(child.pid);
    const times = [];
    for (let index = 0; index < keystrokes; index++) times.push(await client.edit(uri, text, index));
    const perKey = (cpuMs(child.pid) - cpu) / keystrokes;
    const sorted = times.sort((one, other) => one - other);
    const cells = [sorted[0], sorted[sorted.length >> 1], perKey, memoryMb(child.pid)].map((each) => each.toFixed(0));
    const [best, median, own, memory] = cells;
    const columns = [best.padStart(7), median.padStart(9), own.padStart(6), memory.padStart(9)].join("  ");
    console.log(`${`${server.name}, ${name}`.padEnd(44)}  ${columns}`);
  }
  client.stop();
  child.kill();
}

class Client {
  #connection;
  #settings;
  #waiting = [];
  #isReady;

  constructor(child, settings) {
    const { createProtocolConnection, StreamMessageReader, StreamMessageWriter } = protocol;
    this.#settings = settings;
    this.#connection = createProtocolConnection(
      new StreamMessageReader(child.stdout),
      new StreamMessageWriter(child.stdin),
    );
    this.#connection.onNotification("textDocument/publishDiagnostics", ({ uri, version }) => {
      for (const each of this.#waiting.splice(0)) {
        if (each.uri !== uri || (version ?? each.version) < each.version) this.#waiting.push(each);
        else each.resolve();
      }
    });
    this.#connection.onRequest("workspace/configuration", ({ items }) =>
      items.map((item) => settings[item.section] ?? {}),
    );
    this.#connection.onRequest("client/registerCapability", () => null);
    this.#isReady = new Promise((resolve) => this.#connection.onNotification("portcullis/ready", resolve));
    this.#connection.listen();
  }

  async start(root) {
    const uri = pathToFileURL(root).href;
    const capabilities = { workspace: { configuration: true, didChangeConfiguration: { dynamicRegistration: true } } };
    const params = { processId: process.pid, rootUri: uri, workspaceFolders: [{ uri, name: "bench" }], capabilities };
    const { serverInfo } = await this.#connection.sendRequest("initialize", params);
    await this.#connection.sendNotification("initialized", {});
    if (serverInfo?.name === "portcullis") await this.#isReady;
    else await this.#connection.sendNotification("workspace/didChangeConfiguration", { settings: this.#settings });
  }

  async open(uri, text) {
    const answered = this.#answer(uri, 1);
    const textDocument = { uri, languageId: "yaml", version: 1, text };
    await this.#connection.sendNotification("textDocument/didOpen", { textDocument });
    await answered;
    this.version = 1;
  }

  /** A digit is typed into a number in the middle, and removed again by the next keystroke. */
  async edit(uri, text, index) {
    const target = lineOf(text);
    const content = text.split("\n")[target];
    const at = { line: target, character: content.length };
    const isRemoval = index % 2 === 1;
    const end = { line: target, character: content.length + (isRemoval ? 1 : 0) };
    const version = ++this.version;
    const answered = this.#answer(uri, version);
    const start = performance.now();
    await this.#connection.sendNotification("textDocument/didChange", {
      textDocument: { uri, version },
      contentChanges: [{ range: { start: at, end }, text: isRemoval ? "" : "0" }],
    });
    await answered;
    return performance.now() - start;
  }

  #answer(uri, version) {
    return new Promise((resolve) => this.#waiting.push({ uri, version, resolve }));
  }

  stop() {
    this.#connection.dispose();
  }
}

/** A line in the middle that ends with a number. */
function lineOf(text) {
  const lines = text.split("\n");
  return lines.findIndex((line, index) => index > lines.length / 2 && /(?:maximum|size): \d+$/.test(line));
}

/** On Linux; elsewhere 0. */
function cpuMs(pid) {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return 0;
  const fields = readFileSync(file, "utf8")
    .slice(readFileSync(file, "utf8").lastIndexOf(")") + 2)
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Resident memory, the largest so far. */
function memoryMb(pid) {
  const file = `/proc/${pid}/status`;
  if (!existsSync(file)) return 0;
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(file, "utf8"))?.[1] ?? 0) / 1024;
}
