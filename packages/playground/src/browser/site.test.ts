import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import axe from "axe-core";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchChromium } from "./chromium.testing.ts";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../../../..");
const { browser, reason } = await launchChromium();
if (browser === undefined) console.warn(`the site is not tested: ${reason}`);

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
};

/** A path below the root, as on GitHub Pages. */
const PREFIX = "/portcullis/";

let folder = "";
let server: Server;
let home = "";

beforeAll(async () => {
  if (browser === undefined) return;
  folder = mkdtempSync(path.join(tmpdir(), "portcullis-site-"));
  const args = [path.join(root, "tools/site/build.mjs"), folder];
  execFileSync(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
  server = createServer(({ url = "/" }, response) => {
    const name = decodeURIComponent(url.split(/[?#]/)[0] ?? "").replace(PREFIX, "");
    const file = path.join(folder, name);
    const isFile = file.startsWith(folder) && statSync(file, { throwIfNoEntry: false })?.isFile() === true;
    if (!isFile) return response.writeHead(404).end();
    response.writeHead(200, { "Content-Type": TYPES[path.extname(file)] ?? "application/octet-stream" });
    return response.end(readFileSync(file));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  home = `http://127.0.0.1:${port}${PREFIX}`;
});

afterAll(async () => {
  server?.close();
  await browser?.close();
  if (folder !== "") rmSync(folder, { recursive: true, force: true });
});

function pageNames(): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return names
    .map((name) => name.replaceAll(path.sep, "/"))
    .filter((name) => name.endsWith(".html") && !name.startsWith("playground/"));
}

/** Everything that a page must not do, collected while it is open. */
async function openTab(context: BrowserContext): Promise<{ page: Page; problems: string[] }> {
  const page = await context.newPage();
  const problems: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") problems.push(`${page.url()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => problems.push(`${page.url()}: ${error.message}`));
  page.on("request", (request) => {
    if (!/^(?:data:|file:)/.test(request.url()) && !request.url().startsWith(home))
      problems.push(`request to ${request.url()}`);
  });
  return { page, problems };
}

async function newContext(chromium: Browser, colorScheme: "light" | "dark"): Promise<BrowserContext> {
  return chromium.newContext({ colorScheme, viewport: { width: 1280, height: 900 }, bypassCSP: true });
}

async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const found = await page.evaluate("axe.run(document, { resultTypes: ['violations'] })");
  const { violations: all } = found as { violations: { id: string; nodes: { html: string }[] }[] };
  return all.map(({ id, nodes }) => `${page.url()}: ${id}: ${nodes[0]?.html.slice(0, 200) ?? ""}`);
}

describe.skipIf(browser === undefined)("the documentation site in a real Chromium", () => {
  const chromium = browser as Browser;

  test("no link is broken, no page has errors, and axe finds nothing", async () => {
    const context = await newContext(chromium, "light");
    const { page, problems } = await openTab(context);
    const names = pageNames();
    expect(names.length).toBeGreaterThan(60);
    const anchors = new Map<string, Set<string>>();
    const links: { from: string; to: string }[] = [];
    for (const name of names) {
      await page.goto(home + name);
      const found = await page.evaluate(() => ({
        ids: [...document.querySelectorAll("[id]")].map(({ id }) => id),
        links: [...document.querySelectorAll("a")].map(({ href }) => href),
      }));
      anchors.set(home + name, new Set(found.ids));
      links.push(...found.links.map((to) => ({ from: name, to })));
      problems.push(...(await violations(page)));
    }
    for (const { from, to } of links.filter((link) => link.to.startsWith(home))) {
      const [address = "", anchor] = to.split("#");
      const ids = anchors.get(address);
      const isThere =
        ids !== undefined ? anchor === undefined || ids.has(anchor) : address.endsWith("playground/index.html");
      if (!isThere) problems.push(`${from}: ${to} leads nowhere`);
    }
    expect(problems).toEqual([]);
    await context.close();
  });

  test("axe reports a picture without alternative text", async () => {
    const context = await newContext(chromium, "light");
    const { page } = await openTab(context);
    await page.goto(`${home}index.html`);
    await page.evaluate('document.querySelector("main").append(document.createElement("img"))');
    expect((await violations(page)).join("\n")).toContain("image-alt");
    await context.close();
  });

  test("axe finds nothing in the dark theme and on a small screen", async () => {
    const context = await newContext(chromium, "dark");
    const { page, problems } = await openTab(context);
    await page.setViewportSize({ width: 390, height: 800 });
    for (const name of ["index.html", "docs/policies.html", "reference/check.html", "reference/rules.html"]) {
      await page.goto(home + name);
      problems.push(...(await violations(page)));
    }
    expect(problems).toEqual([]);
    await context.close();
  });

  test("the search finds sections, also without a network", async () => {
    const context = await chromium.newContext();
    const { page, problems } = await openTab(context);
    await page.goto(`${home}docs/policies.html`);
    await page.focus("#search");
    // Not waitForFunction: it polls inside the page, where the content security policy forbids what it uses.
    await expect.poll(() => page.evaluate("globalThis.portcullisIndex !== undefined")).toBe(true);
    await context.setOffline(true);
    await page.fill("#search", "portcullis check");
    await page.waitForSelector("#results li a");
    expect(await page.locator("#results").textContent()).toContain("portcullis check");
    await page.fill("#search", "zzzzzz");
    expect(await page.locator("#results p").textContent()).toBe("No results");
    await context.setOffline(false);
    await page.fill("#search", "ratcheting design");
    await page.locator("#results li a").first().click();
    await page.waitForURL(/designs|ratcheting/);
    expect(problems).toEqual([]);
    await context.close();
  });

  test("the site works from a folder, without any server", async () => {
    const context = await chromium.newContext();
    const { page, problems } = await openTab(context);
    await page.goto(pathToFileURL(path.join(folder, "index.html")).href);
    await page.fill("#search", "baseline");
    await page.locator("#results li a").first().click();
    await page.waitForLoadState();
    expect(page.url()).toMatch(/^file:/);
    expect(await page.locator("main h1").count()).toBe(1);
    expect(problems).toEqual([]);
    await context.close();
  });

  test("the playground is part of the site", async () => {
    const context = await chromium.newContext();
    const { page, problems } = await openTab(context);
    await page.goto(`${home}index.html`);
    await page.click("header >> text=Playground");
    await page.waitForSelector('#verdict[data-tone="refused"]', { timeout: 90_000 });
    expect(problems).toEqual([]);
    await context.close();
  });
});
