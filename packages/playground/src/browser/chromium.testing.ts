/** A real Chromium with the page, built from the sources. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { type Playground, startPlayground } from "portcullis/internal/commands/serve/serve-playground";

const folder = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
/** Kept after the run, and ignored by git. */
export const ARTEFACTS = path.join(folder, "artefacts");

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-dev-shm-usage",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--no-first-run",
];

/** Generous: the machine may be busy with other tests. */
const PATIENCE = 90_000;

export interface Launch {
  /** Undefined if Chromium is missing or does not start. */
  readonly browser: Browser | undefined;
  /** Why not. */
  readonly reason: string;
}

export async function launchChromium(): Promise<Launch> {
  const executablePath = findChromium();
  if (executablePath === undefined) {
    return { browser: undefined, reason: "there is no chromium on the path, and CHROMIUM names none" };
  }
  try {
    return { browser: await chromium.launch({ executablePath, args: FLAGS, timeout: PATIENCE }), reason: "" };
  } catch (problem) {
    const [first = ""] = String(problem).split("\n");
    return { browser: undefined, reason: `${executablePath} does not start: ${first}` };
  }
}

/** From `CHROMIUM` or the search path. */
function findChromium(): string | undefined {
  const named = process.env["CHROMIUM"];
  if (named !== undefined) return existsSync(named) ? named : undefined;
  const folders = (process.env["PATH"] ?? "").split(path.delimiter);
  return NAMES.flatMap((name) => folders.map((each) => path.join(each, name))).find((file) => existsSync(file));
}

/** The page as built now, served as `portcullis serve --playground` does. */
export class BuiltPage {
  readonly browser: Browser;
  readonly playground: Playground;
  readonly #dist: string;

  private constructor(browser: Browser, playground: Playground, dist: string) {
    this.browser = browser;
    this.playground = playground;
    this.#dist = dist;
  }

  static async open(browser: Browser): Promise<BuiltPage> {
    mkdirSync(ARTEFACTS, { recursive: true });
    const dist = mkdtempSync(path.join(tmpdir(), "portcullis-page-"));
    execFileSync(process.execPath, [path.join(folder, "build.mjs"), dist], { stdio: ["ignore", "ignore", "inherit"] });
    return new BuiltPage(browser, await startPlayground({ host: "127.0.0.1", port: 0, folder: dist }), dist);
  }

  async close(): Promise<void> {
    await this.playground.stop();
    rmSync(this.#dist, { recursive: true, force: true });
  }
}

/** One tab, with all its errors and requests. */
export class Tab {
  readonly page: Page;
  readonly complaints: string[] = [];
  readonly requests: string[] = [];
  readonly #context: BrowserContext;

  private constructor(context: BrowserContext, page: Page) {
    this.#context = context;
    this.page = page;
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") this.complaints.push(message.text());
    });
    page.on("pageerror", (error) => this.complaints.push(error.message));
    context.on("request", (request) => this.requests.push(request.url()));
  }

  /** Loaded to the end: engine, editors, examples. */
  static async open({ browser, playground }: BuiltPage, fragment: string, options: TabOptions = {}): Promise<Tab> {
    const context = await browser.newContext({
      viewport: { width: options.width ?? 1440, height: options.height ?? 900 },
      colorScheme: options.colorScheme ?? "light",
      reducedMotion: "reduce",
    });
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE);
    const tab = new Tab(context, page);
    await page.goto(`${playground.url}${fragment}`);
    await page.waitForSelector('html[data-engine="ready"][data-editors="ready"]', { state: "attached" });
    await tab.waitForResult();
    return tab;
  }

  /** Waits until the last change has its complete result. */
  async waitForResult(): Promise<void> {
    await this.page.waitForSelector('#panels[aria-busy="false"]', { state: "attached" });
  }

  /** Changes a text and waits for the result. */
  async change(act: () => Promise<void>): Promise<void> {
    await this.page.evaluate(() => document.getElementById("panels")?.setAttribute("aria-busy", "true"));
    await act();
    await this.waitForResult();
  }

  openExample(name: string): Promise<void> {
    return this.change(() =>
      this.page.evaluate((each) => {
        if (location.hash === `#example=${each}`) dispatchEvent(new HashChangeEvent("hashchange"));
        else location.hash = `#example=${each}`;
      }, name),
    );
  }

  close(): Promise<void> {
    return this.#context.close();
  }

  /** What the page shows. */
  verdict(): Promise<Shown> {
    return this.page.evaluate(() => {
      const texts = (selector: string): string[] =>
        [...document.querySelectorAll(selector)].map((each) => each.textContent ?? "");
      const verdict = document.getElementById("verdict");
      return {
        tone: verdict?.dataset["tone"] ?? "",
        milliseconds: Number(verdict?.dataset["milliseconds"]),
        whole: Number(verdict?.dataset["whole"]),
        outputs: texts("#verdict pre"),
        findings: [...document.querySelectorAll<HTMLElement>("#panels .problem")].map(
          (each) =>
            `${each.dataset["severity"]} ${each.dataset["rule"]} ${each.querySelector(".message")?.textContent ?? ""}`,
        ),
      };
    });
  }
}

export interface TabOptions {
  readonly width?: number;
  readonly height?: number;
  readonly colorScheme?: "light" | "dark";
}

export interface Shown {
  readonly tone: string;
  /** From the keystroke to the verdict. */
  readonly milliseconds: number;
  /** … to the final one, if a preliminary one came first. */
  readonly whole: number;
  readonly outputs: readonly string[];
  readonly findings: readonly string[];
}
