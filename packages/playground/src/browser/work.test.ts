import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { strFromU8, unzipSync } from "fflate";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { askInFolder } from "../examples/command-line.testing.ts";
import { loadExamples } from "../examples/examples.testing.ts";
import { toFragment } from "../share.ts";
import { EMPTY_STATE } from "../state.ts";
import { ARTEFACTS, BuiltPage, launchChromium, Tab } from "./chromium.testing.ts";

const { browser, reason } = await launchChromium();
const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

describe.skipIf(browser === undefined)(`working in the page${reason && ` (skipped: ${reason})`}`, () => {
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

  afterEach(({ task }) => {
    expect(tab.complaints, task.name).toEqual([]);
  });

  test("the texts, the mode and the lesson survive a reload", async () => {
    await tab.openExample("ratcheting");
    await typeInto(tab, "object", "# mine\n");
    expect(await tab.page.evaluate(() => location.hash)).toBe("");
    await tab.page.reload();
    await tab.page.waitForSelector('html[data-engine="ready"][data-editors="ready"]', { state: "attached" });
    await tab.waitForResult();
    expect(await textOf(tab, "object")).toContain("# mine");
    expect(await tab.page.isChecked("#mode-update")).toBe(true);
    expect(await tab.page.isVisible("#lesson")).toBe(true);
  });

  test("a link wins over the texts of the last visit", async () => {
    const second = await tab.page.context().newPage();
    await second.goto(`${chromium.playground.url}#example=hello`);
    await second.waitForSelector("#lesson:not([hidden])");
    expect(await second.textContent("#lesson")).toContain("Example 1 of");
    await second.close();
  });

  test("what follows a key without a value is indented, and a text keeps its level", async () => {
    await clear(tab);
    await tab.page.locator('[data-field="object"] .cm-content').focus();
    await tab.change(() => tab.page.keyboard.type("spec:\ntemplate:\nname: a\nimage: b"));
    await tab.page.keyboard.press("Escape");
    expect(await textOf(tab, "object")).toBe("spec:\n  template:\n    name: a\n    image: b");
  });

  test("an empty page gives no verdict", async () => {
    for (const mode of ["create", "update", "upgrade", "policy", "cel"]) {
      await tab.change(() => tab.page.click(`label[for="mode-${mode}"]`, { force: true }));
      await clear(tab);
      expect((await tab.verdict()).tone, mode).toBe("empty");
    }
    await tab.change(() => tab.page.click(`label[for="mode-create"]`, { force: true }));
    await screenshots("empty");
  });

  test("a built-in kind shows what is pruned, defaulted and stored", async () => {
    await tab.openExample("built-in-kind");
    const titles = await tab.page.locator(".stage-title").allTextContents();
    expect(titles).toEqual(["Pruned", "Defaulted"]);
    await clear(tab);
    await typeInto(tab, "object", SERVICE);
    expect(await tab.page.locator(".stage-title").allTextContents()).toEqual(["Pruned", "Defaulted", "Stored"]);
    expect(await tab.page.locator(".stage").first().textContent()).toContain("no change");
    expect(await tab.page.locator(".stage").nth(1).textContent()).toContain("sessionAffinity: None");
    expect(await tab.page.locator(".stage").nth(2).textContent()).toContain("uid:");
    await screenshots("built-in-pipeline");
  });

  test("a kind without a CRD is an error in the verdict and at its text", async () => {
    await clear(tab);
    await typeInto(tab, "object", "apiVersion: example.com/v1\nkind: Widget");
    expect((await tab.verdict()).tone).toBe("refused");
    expect(await tab.page.textContent('[data-field="object"] .badge')).toBe("1 error");
    expect(await tab.page.textContent("#panels .note")).toContain("paste its CustomResourceDefinition");
  });

  test("of thousands of findings, the first are shown", async () => {
    const object = Array.from(
      { length: 1000 },
      (_, at) => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: A${at}}\n`,
    );
    const other = await Tab.open(
      chromium,
      await toFragment({ ...EMPTY_STATE, texts: { object: object.join("---\n") } }),
    );
    expect((await other.verdict()).findings).toHaveLength(200);
    expect(await other.page.textContent("#panels .problems > li:last-child")).toContain("and 800 more");
    expect(await other.page.textContent("#verdict")).toContain("1000 errors");
    await other.close();
  });

  test("a quick fix corrects a name, and undo takes it back", async () => {
    await clear(tab);
    await typeInto(tab, "object", SERVICE.replace("ports:", "port:"));
    await tab.change(() => tab.page.click(".fix"));
    expect(await textOf(tab, "object")).toContain("ports:");
    expect((await tab.verdict()).tone).toBe("accepted");
    await tab.change(() => tab.page.keyboard.press("Control+z"));
    expect(await textOf(tab, "object")).not.toContain("ports:");
  });

  test("a field has its documentation under the pointer and at the cursor", async () => {
    await clear(tab);
    await typeInto(tab, "object", SERVICE);
    await tab.page.locator('[data-field="object"] .cm-line', { hasText: "ports" }).locator("span").first().hover();
    await tab.page.waitForSelector(".cm-about");
    expect(await tab.page.textContent(".cm-about")).toContain("ports");
    await screenshots("hover");
    await tab.page.mouse.move(5, 5);
    await tab.page.waitForSelector(".cm-about", { state: "detached" });
    await tab.page.keyboard.press("F1");
    await tab.page.waitForSelector(".cm-about");
    await tab.page.keyboard.press("Escape");
    await tab.page.waitForSelector(".cm-about", { state: "detached" });
  });

  test("bars resize the panes with the keyboard and the pointer, and the sizes are remembered", async () => {
    await tab.openExample("hello");
    const width = () => tab.page.locator("#inputs").evaluate((each) => each.clientWidth);
    const height = () => tab.page.locator('[data-field="definition"]').evaluate((each) => each.clientHeight);
    const [wide, high] = [await width(), await height()];
    await tab.page.focus(".splitter.vertical");
    await tab.page.keyboard.press("ArrowLeft");
    expect(await width()).toBeLessThan(wide);
    const bar = await tab.page.locator(".splitter.horizontal").boundingBox();
    if (bar === null) throw new Error("there is no bar between the panes");
    await tab.page.mouse.move(bar.x + bar.width / 2, bar.y + 6);
    await tab.page.mouse.down();
    await tab.page.mouse.move(bar.x + bar.width / 2, bar.y - 114, { steps: 4 });
    await tab.page.mouse.up();
    expect(Math.abs(high - 120 - (await height()))).toBeLessThan(4);
    const [narrow, low] = [await width(), await height()];
    await screenshots("resized");
    await tab.page.reload();
    await tab.page.waitForSelector('html[data-editors="ready"]', { state: "attached" });
    expect([await width(), await height()]).toEqual([narrow, low]);
    await tab.page.dblclick(".splitter.vertical");
    await tab.page.dblclick(".splitter.horizontal");
    expect([await width(), await height()]).toEqual([wide, high]);
  });

  test("files that are dropped find their texts", async () => {
    await clear(tab);
    const { texts } = exampleState("hello");
    const files = [
      { name: "object.yaml", text: texts.object ?? "" },
      { name: "crd.yaml", text: texts.definition ?? "" },
    ];
    await tab.change(() => drop(tab, "#work", files));
    expect(await textOf(tab, "object")).toBe(texts.object);
    expect((await tab.verdict()).tone).toBe("refused");
    await tab.change(() => drop(tab, '[data-field="object"]', [{ name: "a.yaml", text: "a: 1\n" }]));
    expect(await textOf(tab, "object")).toBe("a: 1\n");
    await drop(tab, "#work", [{ name: "a.bin", text: "\0" }]);
    await tab.page.waitForFunction(() => document.getElementById("notice")?.textContent?.includes("is not a text"));
  });

  test.each(["hello", "ratcheting", "upgrade-enum", "policy-delete", "policy-params", "cel-self", "cel-first"])(
    "the download of %s gives the same result with the command line",
    async (name) => {
      await tab.openExample(name);
      const downloaded = tab.page.waitForEvent("download");
      await tab.page.click("#download");
      const archive = unzipSync(await readFile(await (await downloaded).path()));
      const folder = mkdtempSync(path.join(tmpdir(), "portcullis-download-"));
      for (const [file, bytes] of Object.entries(archive)) writeFileSync(path.join(folder, path.basename(file)), bytes);
      const answer = await askInFolder(folder, exampleState(name));
      const shown = await tab.verdict();
      expect(shown.tone === "accepted" || shown.tone === "warned").toBe(answer.isAccepted);
      expect(strFromU8(archive["portcullis/run.sh"] ?? new Uint8Array())).toContain("portcullis ");
      rmSync(folder, { recursive: true });
    },
  );

  test("a well-known CRD can be chosen, with an object for it", async () => {
    await tab.change(() => tab.page.click(`label[for="mode-create"]`, { force: true }));
    await clear(tab);
    await tab.change(async () => {
      await tab.page.selectOption(".chooser", { label: "HTTPRoute, as in Gateway API" });
    });
    expect(await textOf(tab, "object")).toContain("kind: HTTPRoute");
    expect((await tab.verdict()).findings).toEqual([
      "error cel/rule spec.rules[0]: Invalid value: a rule with RequestRedirect cannot have backendRefs",
    ]);
    await screenshots("well-known-crd");
  });

  test("the object completes as `self` in an expression", async () => {
    await tab.openExample("cel-self");
    expect((await tab.verdict()).outputs[0]).toContain("false");
    await tab.page.locator('[data-field="expression"] .cm-content').focus();
    await tab.page.keyboard.press("Control+Home");
    await tab.page.keyboard.type("self.spec.repl");
    await tab.page.waitForSelector(".cm-tooltip-autocomplete");
    expect(await tab.page.textContent(".cm-tooltip-autocomplete .cm-completionLabel")).toBe("replicas");
    await tab.page.keyboard.press("Escape");
    await screenshots("cel-self");
  });

  /** Wide and narrow, light and dark, each without violations. */
  async function screenshots(name: string): Promise<void> {
    const size = tab.page.viewportSize();
    await tab.page.evaluate(axe);
    for (const [shape, width] of [
      ["wide", 1440],
      ["narrow", 390],
    ] as const) {
      await tab.page.setViewportSize({ width, height: 900 });
      expect(await tab.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
      for (const colorScheme of ["light", "dark"] as const) {
        await tab.page.emulateMedia({ colorScheme });
        expect(await violations(tab), `${name}, ${shape}, ${colorScheme}`).toEqual([]);
        await tab.page.screenshot({ path: path.join(ARTEFACTS, `${name}-${shape}-${colorScheme}.png`) });
      }
    }
    await tab.page.emulateMedia({ colorScheme: "light" });
    if (size !== null) await tab.page.setViewportSize(size);
  }
});

const SERVICE = `apiVersion: v1
kind: Service
metadata: {name: web}
spec:
  selector: {app: web}
  ports: [{port: 80}]`;

function exampleState(name: string) {
  const found = loadExamples().find((each) => each.name === name);
  if (found === undefined) throw new Error(`there is no example ${name}`);
  return found.state;
}

function clear(tab: Tab): Promise<void> {
  return tab.change(() => tab.page.click("#clear"));
}

/** At the start of an editor's text. */
async function typeInto(tab: Tab, field: string, text: string): Promise<void> {
  const pane = tab.page.locator(`[data-field="${field}"]`);
  if ((await pane.locator(".fold").getAttribute("aria-expanded")) === "false") await pane.locator(".fold").click();
  await pane.locator(".cm-content").focus();
  await tab.page.keyboard.press("Control+Home");
  await tab.change(() => tab.page.keyboard.insertText(text));
}

async function textOf(tab: Tab, field: string): Promise<string> {
  const lines = await tab.page.locator(`[data-field="${field}"] .cm-line`).allTextContents();
  return lines.join("\n");
}

async function drop(tab: Tab, selector: string, files: readonly { name: string; text: string }[]): Promise<void> {
  const transfer = await tab.page.evaluateHandle((given) => {
    const data = new DataTransfer();
    for (const { name, text } of given) data.items.add(new File([text], name));
    return data;
  }, files);
  await tab.page.dispatchEvent(selector, "dragover", { dataTransfer: transfer });
  await tab.page.dispatchEvent(selector, "drop", { dataTransfer: transfer });
}

interface AxeWindow {
  readonly axe: { run(): Promise<{ violations: { id: string; nodes: { failureSummary?: string }[] }[] }> };
}

/** What axe itself does to the page, such as writing styles, does not count. */
async function violations(tab: Tab): Promise<string[]> {
  const before = tab.complaints.length;
  const found = await tab.page.evaluate(async () => {
    const { violations: all } = await (window as unknown as AxeWindow).axe.run();
    return all.flatMap(({ id, nodes }) => nodes.map(({ failureSummary }) => `${id} ${failureSummary ?? ""}`));
  });
  tab.complaints.length = before;
  return found;
}
