import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { askCommandLine } from "../examples/command-line.testing.ts";
import { loadExamples } from "../examples/examples.testing.ts";
import { toFragment } from "../share.ts";
import { ARTEFACTS, BuiltPage, largeState, launchChromium, Tab } from "./chromium.testing.ts";

const { browser, reason } = await launchChromium();
const examples = loadExamples();
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

describe.skipIf(browser === undefined)(`the page in a real Chromium${reason && ` (skipped: ${reason})`}`, () => {
  let chromium: BuiltPage;
  let tab: Tab;

  beforeAll(async () => {
    if (browser === undefined) return;
    chromium = await BuiltPage.open(browser);
    tab = await Tab.open(chromium, "");
  }, 180_000);

  afterAll(async () => {
    await tab?.close();
    await browser?.close();
    await chromium?.close();
  });

  test("its answer carries the content-security policy, and nothing but its own files is served", async () => {
    const answer = await fetch(chromium.playground.url);
    expect(answer.headers.get("content-security-policy")).toContain(
      "default-src 'none'; script-src 'self'; style-src 'self'",
    );
    expect(answer.headers.get("content-security-policy")).toContain("connect-src 'none'");
    expect((await fetch(new URL("../package.json", chromium.playground.url))).status).toBe(404);
    expect((await fetch(`${chromium.playground.url}..%2f..%2fpackage.json`)).status).toBe(404);
    expect((await fetch(chromium.playground.url, { method: "POST" })).status).toBe(405);
  });

  test("every example has the command line's verdict; no complaint, and no request after loading", async () => {
    const loaded = tab.requests.length;
    for (const { name, state } of examples) {
      await tab.openExample(name);
      const [shown, answer] = [await tab.verdict(), await askCommandLine(state)];
      expect(shown.tone === "accepted" || shown.tone === "warned", name).toBe(answer.isAccepted);
      if (answer.output !== undefined) expect(shown.outputs.join("\n"), name).toBe(answer.output);
      else if (state.mode === "upgrade") expect(shown.findings.length, name).toBe(answer.findings?.length);
      else expect([...shown.findings].sort(), name).toEqual(answer.findings);
    }
    expect(tab.requests.slice(loaded)).toEqual([]);
    expect(tab.requests.every((url) => url.startsWith(chromium.playground.url))).toBe(true);
    expect(tab.complaints).toEqual([]);
  });

  test.each(["built-in-kind", "rule-typo", "policy-first", "upgrade-enum"])(
    "a page that opens with what is loaded last has its verdict: %s",
    async (name) => {
      const other = await Tab.open(chromium, `#example=${name}`);
      await tab.openExample(name);
      const [fresh, warm] = [await other.verdict(), await tab.verdict()];
      expect([fresh.tone, fresh.outputs, fresh.findings]).toEqual([warm.tone, warm.outputs, warm.findings]);
      expect(other.complaints).toEqual([]);
      await other.close();
    },
  );

  test("a witness of an upgrade can be created and edited with one click", async () => {
    for (const [mode, tone] of [
      ["create", "refused"],
      ["update", "accepted"],
    ] as const) {
      await tab.openExample("upgrade-enum");
      await tab.page.click(`[data-witness="${mode}"]`);
      await tab.page.waitForSelector(`#mode-${mode}:checked`);
      await tab.settle();
      expect((await tab.verdict()).tone).toBe(tone);
    }
  });

  test("a link carries all texts to another tab", async () => {
    await tab.openExample("hello");
    await typeInto(tab, "object", "# changed\n");
    await tab.page.click("#share");
    await tab.page.waitForSelector("#notice button");
    const fragment = await tab.page.evaluate(() => location.hash);
    const other = await Tab.open(chromium, fragment);
    expect(await textOf(other, "object")).toBe(await textOf(tab, "object"));
    expect(await textOf(other, "object")).toContain("# changed");
    expect((await other.verdict()).outputs).toEqual((await tab.verdict()).outputs);
    await other.close();
  });

  test.each([
    { name: "damaged", fragment: "#v1=AAAA" },
    { name: "no link at all", fragment: "#v1=%%%" },
  ])("a link that is $name is told about, and the page works", async ({ fragment }) => {
    const other = await Tab.open(chromium, fragment);
    expect(await other.page.textContent("#notice")).toContain("cannot be read");
    expect((await other.verdict()).tone).toBe("refused");
    await other.close();
  });

  test("the keyboard reaches everything and is caught nowhere", async () => {
    await tab.openExample("hello");
    await tab.page.evaluate(() => {
      document.body.tabIndex = -1;
      document.body.focus();
    });
    const seen: string[] = [];
    for (let i = 0; i < 60 && seen.at(-1) !== "jump to the schema"; i++) {
      await tab.page.keyboard.press("Tab");
      seen.push(await focused(tab));
    }
    expect(seen[0]).toBe("Skip to the verdict");
    const order = [
      "create",
      "Examples",
      "version",
      "share",
      "theme",
      "editor Definition",
      "editor Object",
      "Copy",
      "jump to the schema",
    ];
    expect(seen.filter((each) => order.includes(each))).toEqual(order);
    await tab.page.keyboard.press("Enter");
    expect(await focused(tab)).toBe("editor Definition");
  });

  test("modes change with the arrow keys, and the verdict is announced", async () => {
    await tab.openExample("ratcheting");
    await tab.page.focus("#mode-update");
    await tab.page.keyboard.press("ArrowLeft");
    await tab.page.waitForSelector("#mode-create:checked");
    await tab.page.waitForFunction(() => document.getElementById("live")?.textContent?.startsWith("Refused"));
    await tab.page.keyboard.press("ArrowRight");
    await tab.page.waitForFunction(() => document.getElementById("live")?.textContent?.startsWith("Accepted"));
  });

  test.each(["light", "dark"] as const)("axe finds nothing in the %s theme", async (colorScheme) => {
    const other = await Tab.open(chromium, "#example=hello", { colorScheme });
    await other.page.evaluate(axe);
    for (const name of [
      "hello",
      "ratcheting-lists",
      "cost-unbounded",
      "upgrade-enum",
      "upgrade-default",
      "policy-audit",
      "cel-url",
    ]) {
      await other.openExample(name);
      expect(await violations(other), name).toEqual([]);
      await other.page.screenshot({ path: path.join(ARTEFACTS, `${name}-${colorScheme}.png`) });
    }
    await other.page.click("#examples");
    expect(await violations(other), "gallery").toEqual([]);
    await other.page.screenshot({ path: path.join(ARTEFACTS, `gallery-${colorScheme}.png`) });
    await other.close();
  });

  test("it is told whether all versions agree", async () => {
    await tab.openExample("hello");
    await tab.page.waitForFunction(() => document.querySelector(".versions")?.textContent?.startsWith("the same"));
    await tab.openExample("cel-semver");
    await tab.page.waitForFunction(() =>
      document.querySelector(".versions")?.textContent?.includes("Does not compile"),
    );
  });

  test("clearing leaves room for something else, and the other modes alone", async () => {
    await tab.openExample("policy-first");
    await tab.page.click("#clear");
    await tab.page.waitForFunction(() => document.querySelector(".headline")?.textContent === "Nothing to judge yet");
    expect(await tab.page.isHidden("#lesson")).toBe(true);
    await tab.openExample("hello");
  });

  test("the theme can be switched and stays", async () => {
    await tab.page.click("#theme");
    expect(await tab.page.evaluate(() => document.documentElement.dataset["theme"])).toBe("dark");
    await tab.page.reload();
    await tab.page.waitForSelector('html[data-engine="ready"][data-theme="dark"]', { state: "attached" });
  });

  test("it fits on a phone", async () => {
    const other = await Tab.open(chromium, "#example=hello", { width: 390, height: 844 });
    const width = await other.page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(390);
    await other.page.screenshot({ path: path.join(ARTEFACTS, "phone.png"), fullPage: true });
    await other.close();
  });

  test("a keystroke is judged soon, also with a definition of three thousand lines", async () => {
    const state = largeState();
    expect((state.texts.definition ?? "").split("\n").length).toBeGreaterThan(3000);
    const other = await Tab.open(chromium, await toFragment(state));
    const felt: Record<string, number> = {};
    for (const field of ["object", "definition"] as const) {
      const times: number[] = [];
      for (let i = 0; i < 4; i++) {
        await typeInto(other, field, "\n");
        times.push((await other.verdict()).milliseconds);
      }
      felt[field] = Math.min(...times);
    }
    console.log(
      `verdict after a keystroke, 3,000 lines: object ${felt["object"]} ms, definition ${felt["definition"]} ms`,
    );
    expect(felt["object"]).toBeLessThan(5_000);
    expect(felt["definition"]).toBeLessThan(20_000);
    await other.close();
  });
});

/** At the start of an editor's text. */
async function typeInto(tab: Tab, field: string, text: string): Promise<void> {
  const content = tab.page.locator(`[data-field="${field}"] .cm-content`);
  await content.focus();
  await tab.page.keyboard.press("Control+Home");
  await tab.page.evaluate(() => document.getElementById("panels")?.setAttribute("aria-busy", "true"));
  await tab.page.keyboard.type(text);
  await tab.settle();
}

async function textOf(tab: Tab, field: string): Promise<string> {
  const lines = await tab.page.locator(`[data-field="${field}"] .cm-line`).allTextContents();
  return lines.join("\n");
}

/** What has the focus, by a name that people would know it by. */
function focused(tab: Tab): Promise<string> {
  return tab.page.evaluate(() => {
    const outer = document.activeElement;
    const inner = outer?.shadowRoot?.activeElement;
    if (inner) return `editor ${inner.getAttribute("aria-label") ?? ""}`;
    if (outer instanceof HTMLInputElement) return outer.value;
    if (outer instanceof HTMLSelectElement) return outer.id;
    const text = outer?.textContent ?? "";
    if (/^Definition, line/.test(text)) return "jump to the schema";
    return ["share", "theme"].includes(outer?.id ?? "") ? (outer?.id ?? "") : text;
  });
}

interface AxeWindow {
  readonly axe: {
    run(): Promise<{ violations: { id: string; nodes: { target: unknown; failureSummary?: string }[] }[] }>;
  };
}

function violations(tab: Tab): Promise<string[]> {
  return tab.page.evaluate(async () => {
    const { axe: checker } = window as unknown as AxeWindow;
    const { violations: found } = await checker.run();
    return found.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} ${JSON.stringify(target)} ${failureSummary ?? ""}`),
    );
  });
}
