/**
 * The packed extension in Visual Studio Code itself: `code-server` from npm, driven in Chromium.
 *
 * It is as large as all other packages together and compiles native modules, so it is not installed with them:
 * CODE_SERVER names the folder of the package. docs/editors.md says how to install it.
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import path from "node:path";
import { CRD, commitAll, FILES, WIDGET, writeWorkspace } from "@portcullis/lsp/internal/server/workspace.testing";
import { sharedFolder } from "@portcullis/server/node/scratch.testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchChromium } from "../../packages/playground/src/browser/chromium.testing.ts";

const root = path.resolve(import.meta.dirname, "../..");
const entry = path.join(process.env["CODE_SERVER"] ?? "", "out/node/entry.js");
const isInstalled = process.env["CODE_SERVER"] !== undefined && existsSync(entry);
if (!isInstalled) console.warn("the extension is not tested in a real editor: CODE_SERVER names no code-server");
const { browser, reason } = isInstalled ? await launchChromium() : { browser: undefined, reason: "" };
if (isInstalled && browser === undefined) console.warn(`the extension is not tested in a real editor: ${reason}`);

/** The editor starts slowly on a busy machine. */
const PATIENCE = 120_000;

describe.runIf(browser !== undefined)("in Visual Studio Code", () => {
  const folder = sharedFolder();
  const workspace = path.join(folder, "workspace");
  let child;
  let page;

  beforeAll(async () => {
    const vsix = path.join(folder, "portcullis.vsix");
    const packed = spawnSync(process.execPath, ["tools/package-vscode/package-vscode.mjs", vsix], { cwd: root });
    expect(packed.status, String(packed.stderr)).toBe(0);
    const installed = spawnSync(process.execPath, [entry, ...folders(folder), "--install-extension", vsix]);
    expect(installed.status, String(installed.stderr)).toBe(0);
    mkdirSync(workspace);
    writeWorkspace(FILES, workspace);
    commitAll(workspace);
    writeWorkspace({ "deploy/widget.yaml": WIDGET.replace("size: 3", "size: 30") }, workspace);
    writeWorkspace({ "crds/widget.yaml": CRD.replace("maximum: 10", "maximum: 5") }, workspace);
    child = spawn(process.execPath, [entry, ...folders(folder), ...QUIET, workspace], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    const home = await address(child);
    page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
    page.setDefaultTimeout(PATIENCE);
    await page.goto(`${home}?folder=${encodeURIComponent(workspace)}`);
    // Keys that come before the files are listed are lost.
    await page.waitForSelector(".explorer-folders-view .monaco-list-row");
  });

  afterAll(async () => {
    await browser?.close();
    child?.kill();
  });

  test("a refused value is underlined, with the message of the API server", async () => {
    await openFile("deploy/widget.yaml");
    await page.waitForSelector(".squiggly-error");
    await page.keyboard.press("F8");
    const message = page.locator(".marker-widget .message, .markers-panel .monaco-tl-contents").first();
    await message.waitFor();
    expect(await message.textContent()).toContain(
      "spec.size: Invalid value: 30: spec.size in body should be less than",
    );
    await page.keyboard.press("Escape");
  });

  test("an open CRD has the cost of its rules and what its change breaks", async () => {
    await openFile("crds/widget.yaml");
    await page.waitForSelector(".codelens-decoration");
    expect(await page.locator(".codelens-decoration").first().textContent()).toContain("cost");
    await run("Explorer: Focus on Upgrade View");
    const row = page.locator(".pane .monaco-list-row", { hasText: "upgrade/maximum" });
    await row.first().waitFor();
  });

  async function openFile(name) {
    await page.keyboard.press("Control+P");
    await page.keyboard.type(`${path.basename(path.dirname(name))}/${path.basename(name)}`);
    await page
      .locator(".quick-input-list .monaco-list-row", { hasText: path.basename(name) })
      .first()
      .waitFor();
    await page.keyboard.press("Enter");
    await page.waitForSelector(`.tab.active[data-resource-name="${path.basename(name)}"]`);
  }

  async function run(command) {
    await page.keyboard.press("F1");
    await page.keyboard.type(command);
    await page.locator(".quick-input-list .monaco-list-row", { hasText: command }).first().waitFor();
    await page.keyboard.press("Enter");
  }
});

const QUIET = [
  ...["--auth", "none", "--bind-addr", "127.0.0.1:0", "--disable-telemetry", "--disable-update-check"],
  ...["--disable-workspace-trust", "--disable-getting-started-override"],
];

function folders(folder) {
  const named = { "--user-data-dir": "user", "--extensions-dir": "extensions", "--config": "config.yaml" };
  return Object.entries(named).flatMap(([flag, name]) => [flag, path.join(folder, name)]);
}

/** Where it listens, as it prints it. */
function address(child) {
  return new Promise((resolve, reject) => {
    let printed = "";
    const read = (data) => {
      printed += data;
      const [found] = /http:\/\/127\.0\.0\.1:\d+\//.exec(printed) ?? [];
      if (found !== undefined) resolve(found);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.on("exit", () => reject(new Error(`code-server ended: ${printed}`)));
  });
}
