/** The packed extension: its server with a real client of the protocol, and its code with a stand-in for the editor. */
import { spawn, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { TestEditor } from "@portcullis/lsp/internal/server/editor.testing";
import { CRD, commitAll, FILES, WIDGET, writeWorkspace } from "@portcullis/lsp/internal/server/workspace.testing";
import { sharedFolder } from "@portcullis/server/node/scratch.testing";
import { unzipSync } from "fflate";
import { beforeAll, describe, expect, test } from "vitest";

const root = path.resolve(import.meta.dirname, "../..");
const isBuilt = existsSync(path.join(root, "packages/cli/dist/bundle/program.js"));
const folder = sharedFolder();
const extension = path.join(folder, "extension");

// The command line is packed as it was built: `npm test` builds it first.
describe.runIf(isBuilt)("the packed extension", () => {
  beforeAll(() => {
    const vsix = path.join(folder, "portcullis.vsix");
    const packed = spawnSync(process.execPath, ["tools/package-vscode/package-vscode.mjs", vsix], { cwd: root });
    expect(packed.status, String(packed.stderr)).toBe(0);
    for (const [name, data] of Object.entries(unzipSync(readFileSync(vsix)))) {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      writeFileSync(path.join(folder, name), data);
    }
  });

  test("has what editors require, and nothing that only the repository needs", () => {
    const manifest = JSON.parse(readFileSync(path.join(extension, "package.json"), "utf8"));
    expect(manifest.main).toBe("./dist/extension.cjs");
    expect(Object.keys(manifest)).not.toEqual(expect.arrayContaining(["devDependencies"]));
    expect(readFileSync(path.join(folder, "extension.vsixmanifest"), "utf8")).toContain('Id="portcullis-vscode"');
    expect(existsSync(path.join(folder, "[Content_Types].xml"))).toBe(true);
  });

  test("its server answers an editor", async () => {
    const workspace = writeWorkspace(FILES);
    const program = path.join(extension, "program/portcullis.js");
    const child = spawn(process.execPath, [program, "lsp", "--stdio"], { env: {}, stdio: ["pipe", "pipe", "inherit"] });
    const ended = new Promise((resolve) => child.on("exit", resolve));
    const editor = new TestEditor(workspace, { input: child.stdout, output: child.stdin });
    await editor.start();
    await editor.ready();
    await editor.open("deploy/widget.yaml", WIDGET.replace("size: 3", "size: 30"));
    const [found] = await editor.diagnostics("deploy/widget.yaml");
    expect(found?.message).toBe("spec.size: Invalid value: 30: spec.size in body should be less than or equal to 10");
    expect(await editor.hover("deploy/widget.yaml", "si‸ze: 30")).toContain("How large it is.");
    await editor.stop();
    expect(await ended).toBe(0);
  });

  test("it starts its server, shows diagnostics, and fills its views", async () => {
    const workspace = writeWorkspace(FILES);
    commitAll(workspace);
    const { activate, deactivate, vscode } = loadExtension();
    const { host } = vscode;
    const changed = CRD.replace("maximum: 10", "maximum: 5");
    const crd = textDocument(path.join(workspace, "crds/widget.yaml"), changed);
    const widget = textDocument(path.join(workspace, "deploy/widget.yaml"), WIDGET.replace("size: 3", "size: 30"));
    vscode.workspace.workspaceFolders = [{ uri: vscode.Uri.file(workspace), name: "test", index: 0 }];
    vscode.workspace.textDocuments = [crd, widget];
    vscode.window.activeTextEditor = { document: crd };
    await activate({ extensionPath: extension, subscriptions: [] });
    await until(host, () => (host.diagnostics.get(String(widget.uri)) ?? []).length > 0);
    const [first] = host.diagnostics.get(String(widget.uri));
    expect(first.message).toContain("should be less than or equal to");
    const contributed = JSON.parse(readFileSync(path.join(extension, "package.json"), "utf8")).contributes;
    expect([...host.commands.keys()]).toEqual(
      expect.arrayContaining(contributed.commands.map(({ command }) => command)),
    );
    expect([...host.views.keys()].sort()).toEqual(contributed.views.explorer.map(({ id }) => id).sort());
    expect(host.contexts).toEqual({ "portcullis.hasCrd": true });
    const costs = await host.views.get("portcullis.costs").getChildren();
    expect(costs.map(({ label }) => label)).toEqual(["self.hosts.all(h, h.name.startsWith('a'))"]);
    const upgrades = await host.views.get("portcullis.upgrade").getChildren();
    expect(upgrades[0]).toMatchObject({ icon: "error", description: "upgrade/maximum" });
    await host.commands.get("portcullis.openPlayground")();
    const page = await fetch(host.opened[0]);
    expect(await page.text()).toContain("<title>");
    expect((await fetch(new URL("../package.json", host.opened[0]))).status).toBe(404);
    host.commands.get("portcullis.runSuites")();
    const { shellPath, shellArgs, env } = host.terminals[0];
    const { status, stderr } = spawnSync(shellPath, shellArgs, { env, encoding: "utf8" });
    expect([status, stderr]).toEqual([2, expect.stringContaining(workspace)]);
    await deactivate();
  });
});

/** As an editor loads it: as a script that requires `vscode`. */
function loadExtension() {
  const modules = path.join(folder, "node_modules/vscode");
  mkdirSync(modules, { recursive: true });
  copyFileSync(path.join(import.meta.dirname, "vscode-host.testing.cjs"), path.join(modules, "index.js"));
  const require = createRequire(path.join(extension, "dist/extension.cjs"));
  return { ...require("./extension.cjs"), vscode: require("vscode") };
}

function textDocument(file, text) {
  const uri = { toString: () => pathToFileURL(file).href, scheme: "file", fsPath: file, path: file };
  return { uri, languageId: "yaml", version: 1, getText: () => text, isClosed: false };
}

async function until(host, isReached) {
  while (!isReached()) await new Promise((resolve) => host.listeners.push(resolve));
}
