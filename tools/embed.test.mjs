/** The checker for web pages, and its examples, in a real Chromium. */
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import path from "node:path";
import { sharedFolder } from "@portcullis/server/node/scratch.testing";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { launchChromium } from "../packages/playground/src/browser/chromium.testing.ts";

const root = path.resolve(import.meta.dirname, "..");
const examples = path.join(root, "examples/embed");
const folder = sharedFolder();
const { browser, reason } = await launchChromium();
if (browser === undefined) console.warn(`the checker for web pages is not tested: ${reason}`);
// Monaco is as large as all other packages together, so it is not installed with them.
const monaco = monacoFolder();
if (monaco === undefined)
  console.warn("the example with Monaco is not tested: monaco-editor is not installed, and MONACO names no folder");

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".ttf": "font/ttf" };
let home = "";
let server;

beforeAll(async () => {
  if (browser === undefined) return;
  execFileSync(process.execPath, [path.join(root, "packages/embed/build.mjs"), path.join(folder, "embed")]);
  for (const name of ["codemirror.html", "monaco.html"])
    copyFileSync(path.join(examples, name), path.join(folder, name));
  await bundle("codemirror");
  if (monaco !== undefined) {
    await bundle("monaco");
    const worker = path.join(monaco, "esm/vs/editor/editor.worker.js");
    await build({ entryPoints: [worker], outfile: path.join(folder, "monaco.worker.js"), bundle: true, format: "esm" });
  }
  server = createServer(({ url = "/" }, response) => {
    const file = path.join(folder, new URL(url, "http://localhost").pathname);
    const isFile = file.startsWith(folder) && statSync(file, { throwIfNoEntry: false })?.isFile() === true;
    if (!isFile) return response.writeHead(404).end();
    return response
      .writeHead(200, { "Content-Type": TYPES[path.extname(file)] ?? "text/plain" })
      .end(readFileSync(file));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  home = `http://127.0.0.1:${server.address().port}/`;
});

afterAll(async () => {
  await browser?.close();
  server?.close();
});

/** As the bundler of a page does, with the checker beside it. */
async function bundle(name) {
  const embed = {
    name: "embed",
    setup(setup) {
      setup.onResolve({ filter: /^@portcullis\/embed$/ }, () => ({ path: "./embed/index.js", external: true }));
    },
  };
  await build({
    entryPoints: [path.join(examples, `${name}.js`)],
    outfile: path.join(folder, `${name}.bundle.js`),
    bundle: true,
    format: "esm",
    platform: "browser",
    loader: { ".ttf": "dataurl" },
    alias: monaco === undefined ? {} : { "monaco-editor": monaco },
    nodePaths: [path.join(root, "node_modules")],
    plugins: [embed],
    logLevel: "error",
  });
}

function monacoFolder() {
  const named = process.env["MONACO"];
  if (named !== undefined) return existsSync(named) ? named : undefined;
  try {
    return path.dirname(createRequire(import.meta.url).resolve("monaco-editor/package.json"));
  } catch {
    return undefined;
  }
}

async function open(file) {
  const page = await browser.newPage();
  const [complaints, requests] = [[], []];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.context().on("request", (request) => requests.push(request.url().slice(home.length)));
  await page.goto(home + file);
  return { page, complaints, requests };
}

describe.runIf(browser !== undefined)("in a page", () => {
  const CRD = readFileSync(path.join(examples, "crd.js"), "utf8").match(/CRDS = `([^`]*)`/)?.[1] ?? "";
  const WIDGET = "apiVersion: example.com/v1\nkind: Widget\nmetadata: {name: one}\nspec: {size: 30}\n";
  const POLICY = [
    "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\nmetadata: {name: p}\nspec:\n  matchConstraints:",
    "    resourceRules:\n    - {apiGroups: [example.com], apiVersions: [v1], operations: [CREATE], resources: [widgets]}",
    "  validations: [{expression: object.spec.size < 3, message: too large for the policy}]",
    "---\napiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicyBinding\nmetadata: {name: p}",
    "spec: {policyName: p, validationActions: [Deny]}\n",
  ].join("\n");

  /** Runs in the page, where the module is beside it. */
  async function ask(page, options, calls) {
    // As text: the test runner would rewrite the import.
    return page.evaluate(`(async () => {
      const { createChecker } = await import(${JSON.stringify(`${home}embed/index.js`)});
      const checker = createChecker(${JSON.stringify(options)});
      const answers = [];
      for (const [name, ...args] of ${JSON.stringify(calls)}) answers.push(await checker[name](...args));
      checker.close();
      return answers;
    })()`);
  }

  test("each part is loaded when a text first needs it", async () => {
    const { page, requests } = await open("embed/THIRD_PARTY_NOTICES");
    const loaded = () => ["session", "kinds", "admission"].filter((part) => requests.join().includes(`/part-${part}-`));
    await ask(page, {}, []);
    expect(loaded()).toEqual([]);
    await ask(page, { crds: CRD }, [["check", WIDGET]]);
    expect(loaded()).toEqual(["session"]);
    await ask(page, { crds: CRD }, [["check", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n"]]);
    expect(loaded()).toEqual(["session", "kinds"]);
    await ask(page, { crds: CRD, policies: POLICY }, [["check", WIDGET]]);
    expect(loaded()).toEqual(["session", "kinds", "admission"]);
    await page.close();
  });

  test("texts are checked as creates and updates, under policies, and in any version", async () => {
    const { page, complaints } = await open("embed/THIRD_PARTY_NOTICES");
    const [create, update, pod, broken] = await ask(page, { crds: CRD }, [
      ["check", WIDGET],
      ["check", WIDGET.replace("one}", "one, labels: {a: b}}"), { old: WIDGET }],
      ["check", "apiVersion: v1\nkind: Pod\nmetadata: {name: A}\nspec: {containers: []}\n"],
      ["check", `${CRD.replace("self.mode != 'fast'", "self.mode !=")}`],
    ]);
    const rules = (found) => found.map(({ severity, rule }) => `${severity} ${rule}`);
    expect(rules(create)).toContain("error schema/maximum");
    expect(create[0]).toMatchObject({
      message: "spec.size: Invalid value: 30: spec.size in body should be less than or equal to 10",
      path: "spec.size",
      line: 4,
      from: WIDGET.indexOf("30"),
      to: WIDGET.indexOf("30") + 2,
    });
    expect(rules(update)).toContain("note schema/maximum");
    expect(rules(pod)).toEqual(expect.arrayContaining(["error validation/name"]));
    expect(broken.map(({ message }) => message).join()).toContain("Syntax error");
    const [denied] = await ask(page, { crds: CRD, policies: POLICY }, [["check", WIDGET.replace("30", "5")]]);
    expect(denied.map(({ message }) => message).join()).toContain("too large for the policy");
    expect(complaints).toEqual([]);
    await page.close();
  });

  test("CodeMirror shows findings where they are, and completes", async () => {
    const { page, complaints } = await open("codemirror.html");
    await page.waitForSelector(".cm-lintRange-error");
    expect(await page.textContent(".cm-lintRange-error")).toContain("size: 7");
    await page.click(".cm-content");
    for (const key of ["Control+End", "ArrowUp", "Shift+End"]) await page.keyboard.press(key);
    await page.keyboard.type("  ");
    await page.keyboard.press("Control+Space");
    await page.waitForSelector(".cm-tooltip-autocomplete li");
    expect(await page.textContent(".cm-tooltip-autocomplete")).toContain("mode");
    expect(complaints).toEqual([]);
    await page.close();
  });

  test.runIf(monaco !== undefined)("Monaco shows findings where they are", async () => {
    const { page, complaints } = await open("monaco.html");
    await page.waitForFunction(() => (globalThis.markers?.() ?? []).length > 0);
    expect(await page.evaluate(() => globalThis.markers()[0])).toMatchObject({ startLineNumber: 6, severity: 8 });
    await page.evaluate(() => globalThis.model.setValue(globalThis.model.getValue().replace("size: 7", "size: 3")));
    await page.waitForFunction(() => globalThis.markers().length === 0);
    expect(complaints).toEqual([]);
    await page.close();
  });
});
