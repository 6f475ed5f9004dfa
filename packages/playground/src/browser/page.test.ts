import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { askCommandLine } from "../examples/command-line.testing.ts";
import { loadExamples } from "../examples/examples.testing.ts";
import { ARTEFACTS, BuiltPage, launchChromium, Tab } from "./chromium.testing.ts";
import { keepFigures, typeAndMeasure } from "./keystrokes.testing.ts";

const LOOKED_AT = [
  "hello",
  "ratcheting-lists",
  "cost-unbounded",
  "upgrade-enum",
  "upgrade-default",
  "policy-audit",
  "policy-change-guard",
  "cel-first",
];

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

  test("the response has the content security policy, and only the page's own files are served", async () => {
    const answer = await fetch(chromium.playground.url);
    expect(answer.headers.get("content-security-policy")).toContain(
      "default-src 'none'; script-src 'self'; style-src 'self'",
    );
    expect(answer.headers.get("content-security-policy")).toContain("connect-src 'none'");
    expect((await fetch(new URL("../package.json", chromium.playground.url))).status).toBe(404);
    expect((await fetch(`${chromium.playground.url}..%2f..%2fpackage.json`)).status).toBe(404);
    expect((await fetch(chromium.playground.url, { method: "POST" })).status).toBe(405);
  });

  test("every example has the command line's verdict, without errors or requests after loading", async () => {
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

  test("a page that opens in a lazily loaded mode has its verdict", async () => {
    const names = ["built-in-kind", "rule-typo", "policy-first", "policy-change-init", "upgrade-enum"];
    const others = await Promise.all(names.map((name) => Tab.open(chromium, `#example=${name}`)));
    for (const [index, other] of others.entries()) {
      const name = names[index] ?? "";
      await tab.openExample(name);
      const [fresh, warm] = [await other.verdict(), await tab.verdict()];
      expect([fresh.tone, fresh.outputs, fresh.findings], name).toEqual([warm.tone, warm.outputs, warm.findings]);
      expect(other.complaints, name).toEqual([]);
      await other.close();
    }
  });

  test("a witness of an upgrade can be created and edited with one click", async () => {
    for (const [mode, tone] of [
      ["create", "refused"],
      ["update", "accepted"],
    ] as const) {
      await tab.openExample("upgrade-enum");
      await tab.page.click(`[data-witness="${mode}"]`);
      await tab.page.waitForSelector(`#mode-${mode}:checked`);
      await tab.waitForResult();
      expect((await tab.verdict()).tone).toBe(tone);
    }
  });

  test("a request that shows a change of policies can be evaluated with one click", async () => {
    await tab.openExample("policy-change-guard");
    await tab.page.click('[data-proof="Newly allowed"] [data-witness="policy"]');
    await tab.page.waitForSelector("#mode-policy:checked");
    await tab.waitForResult();
    expect((await tab.verdict()).tone).toBe("accepted");
    expect(await textOf(tab, "request")).toContain("operation: CREATE");
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

  test("a link that is not valid is reported, and the page still works", async () => {
    const other = await Tab.open(chromium, "#v1=AAAA");
    const notice = other.page.locator("#notice");
    expect(await notice.textContent()).toContain("is not valid");
    expect((await other.verdict()).tone).toBe("refused");
    await other.page.click("#notice button");
    expect(await notice.textContent()).toBe("");
    await other.page.evaluate(() => {
      location.hash = "#v1=%%%";
    });
    await other.page.waitForSelector("#notice button");
    expect(await notice.textContent()).toContain("is not valid");
    expect((await other.verdict()).tone).toBe("refused");
    await other.close();
  });

  test("the keyboard reaches every control and is trapped nowhere", async () => {
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
    expect(seen[0]).toBe("Skip to the result");
    const order = [
      "create",
      "Examples",
      "version",
      "share",
      "theme",
      "editor CRD",
      "editor Object",
      "Copy",
      "jump to the schema",
    ];
    expect(seen.filter((each) => order.includes(each))).toEqual(order);
    await tab.page.keyboard.press("Enter");
    expect(await focused(tab)).toBe("editor CRD");
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

  test("axe finds nothing, in the light theme and in the dark one", async () => {
    await tab.page.evaluate(axe);
    for (const name of LOOKED_AT) {
      await tab.openExample(name);
      await lookAt(name);
    }
    await tab.page.click("#examples");
    await lookAt("gallery");
    await tab.page.keyboard.press("Escape");
  });

  /** Findings that are not about colours are the same in both themes. */
  async function lookAt(name: string): Promise<void> {
    for (const colorScheme of ["light", "dark"] as const) {
      await tab.page.emulateMedia({ colorScheme });
      const rules = colorScheme === "light" ? undefined : ["color-contrast"];
      expect(await violations(tab, rules), `${name}, ${colorScheme}`).toEqual([]);
      await tab.page.screenshot({ path: path.join(ARTEFACTS, `${name}-${colorScheme}.png`) });
    }
    await tab.page.emulateMedia({ colorScheme: "light" });
  }

  test("the page shows whether all versions agree", async () => {
    await tab.openExample("hello");
    await tab.page.waitForFunction(() => document.querySelector(".versions")?.textContent?.startsWith("the same"));
    await tab.openExample("cel-semver");
    await tab.page.waitForFunction(() =>
      document.querySelector(".versions")?.textContent?.includes("Does not compile"),
    );
  });

  test("clearing empties the current mode and keeps the other modes", async () => {
    await tab.openExample("policy-first");
    await tab.page.click("#clear");
    await tab.page.waitForFunction(
      () => document.querySelector(".headline")?.textContent === "Nothing to evaluate yet",
    );
    expect(await tab.page.isHidden("#lesson")).toBe(true);
    await tab.openExample("hello");
  });

  test("the theme can be switched and is remembered", async () => {
    await tab.page.click("#theme");
    expect(await tab.page.evaluate(() => document.documentElement.dataset["theme"])).toBe("dark");
    await tab.page.reload();
    await tab.page.waitForSelector('html[data-engine="ready"][data-theme="dark"]', { state: "attached" });
  });

  test("it fits on a phone", async () => {
    await tab.openExample("hello");
    const size = tab.page.viewportSize();
    await tab.page.setViewportSize({ width: 390, height: 844 });
    expect(await tab.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await tab.page.screenshot({ path: path.join(ARTEFACTS, "phone.png"), fullPage: true });
    if (size !== null) await tab.page.setViewportSize(size);
  });

  test("an editor completes by keyboard and announces it to screen readers", async () => {
    await tab.openExample("hello");
    const content = tab.page.locator('[data-field="object"] .cm-content');
    await tab.page.locator('[data-field="object"] .cm-line', { hasText: "green" }).click();
    await tab.page.keyboard.press("End");
    for (const _ of "green") await tab.change(() => tab.page.keyboard.press("Backspace"));
    await tab.page.keyboard.press("Control+Space");
    await tab.page.waitForSelector('.cm-tooltip-autocomplete [role="option"][aria-selected]');
    const options = await tab.page.locator(".cm-tooltip-autocomplete .cm-completionLabel").allTextContents();
    expect(options).toEqual(["blue", "green", "red"]);
    expect(await content.getAttribute("aria-activedescendant")).not.toBeNull();
    await tab.page.evaluate(axe);
    expect(await violations(tab)).toEqual([]);
    // Right after the list appears, Enter is a new line, so that nobody chooses what they have not seen.
    const shown = await tab.page.evaluate(() => performance.now());
    await tab.page.waitForFunction((since) => performance.now() > since + 150, shown);
    await tab.change(() => tab.page.keyboard.press("Enter"));
    expect(await textOf(tab, "object")).toContain("color: blue");
  });

  test("the time from a keystroke to its verdict is recorded for a CRD of three thousand lines", async () => {
    const figures = await typeAndMeasure(chromium, 3000, 5);
    keepFigures(figures);
    const fastest = figures.map(({ edited, milliseconds }) => `${edited} ${Math.min(...milliseconds)} ms`);
    console.log(`verdict after a keystroke, 3,000 lines, at best: ${fastest.join(", ")}`);
    expect(figures.every(({ milliseconds }) => milliseconds.every((each) => each > 0))).toBe(true);
  });
});

/** At the start of an editor's text. */
async function typeInto(tab: Tab, field: string, text: string): Promise<void> {
  const content = tab.page.locator(`[data-field="${field}"] .cm-content`);
  await content.focus();
  await tab.page.keyboard.press("Control+Home");
  await tab.change(() => tab.page.keyboard.type(text));
}

async function textOf(tab: Tab, field: string): Promise<string> {
  const lines = await tab.page.locator(`[data-field="${field}"] .cm-line`).allTextContents();
  return lines.join("\n");
}

/** The focused element, by its accessible name. */
function focused(tab: Tab): Promise<string> {
  return tab.page.evaluate(() => {
    const outer = document.activeElement;
    const inner = outer?.shadowRoot?.activeElement;
    if (inner) return `editor ${inner.getAttribute("aria-label") ?? ""}`;
    if (outer instanceof HTMLInputElement) return outer.value;
    if (outer instanceof HTMLSelectElement) return outer.id;
    const text = outer?.textContent ?? "";
    if (/^CRD, line/.test(text)) return "jump to the schema";
    return ["share", "theme"].includes(outer?.id ?? "") ? (outer?.id ?? "") : text;
  });
}

interface AxeWindow {
  readonly axe: {
    run(options: { runOnly?: readonly string[] }): Promise<{
      violations: { id: string; nodes: { target: unknown; failureSummary?: string }[] }[];
    }>;
  };
}

/** All rules by default. */
function violations(tab: Tab, rules?: readonly string[]): Promise<string[]> {
  return tab.page.evaluate(async (runOnly) => {
    const { axe: checker } = window as unknown as AxeWindow;
    const { violations: found } = await checker.run(runOnly === undefined ? {} : { runOnly });
    return found.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} ${JSON.stringify(target)} ${failureSummary ?? ""}`),
    );
  }, rules);
}
