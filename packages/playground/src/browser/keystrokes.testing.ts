/** How long a keystroke takes to its verdict, in a real Chromium; kept as figures, never a condition of a test. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { toFragment } from "../share.ts";
import type { State } from "../state.ts";
import { ARTEFACTS, BuiltPage, launchChromium, Tab } from "./chromium.testing.ts";

export interface Keystrokes {
  readonly lines: number;
  readonly edited: "object" | "definition";
  /** From the keystroke to the verdict on the page, in milliseconds, in the order of typing. */
  readonly milliseconds: readonly number[];
}

/** Types into both texts of one definition. */
export async function typeAndMeasure(chromium: BuiltPage, lines: number, count: number): Promise<Keystrokes[]> {
  const tab = await Tab.open(chromium, await toFragment(largeState(lines)));
  const figures: Keystrokes[] = [];
  for (const edited of ["object", "definition"] as const) {
    await placeCursor(tab, edited);
    const milliseconds: number[] = [];
    for (let i = 0; i < count; i++) {
      await tab.change(() => tab.page.keyboard.type("x"));
      milliseconds.push((await tab.verdict()).milliseconds);
    }
    figures.push({ lines, edited, milliseconds });
  }
  await tab.close();
  return figures;
}

/** Where typing leaves what is there valid: in a comment, in a description. */
async function placeCursor(tab: Tab, field: "object" | "definition"): Promise<void> {
  const hasText = field === "object" ? "# a note" : "description: What field0";
  await tab.page.locator(`[data-field="${field}"] .cm-line`, { hasText }).first().click();
  await tab.page.keyboard.press("End");
}

export function keepFigures(figures: readonly Keystrokes[]): void {
  writeFileSync(path.join(ARTEFACTS, "keystrokes.json"), `${JSON.stringify(figures, null, 2)}\n`);
}

/** For the benchmark: undefined where there is no Chromium. */
export async function measureSizes(sizes: readonly number[], count: number): Promise<Keystrokes[] | undefined> {
  const { browser } = await launchChromium();
  if (browser === undefined) return undefined;
  const chromium = await BuiltPage.open(browser);
  const figures: Keystrokes[] = [];
  try {
    for (const lines of sizes) figures.push(...(await typeAndMeasure(chromium, lines, count)));
  } finally {
    await browser.close();
    await chromium.close();
  }
  return figures;
}

/** A definition with many fields, with bounds, patterns and rules, as large projects have them; twelve lines a field. */
export function largeState(lines: number): State {
  const count = Math.ceil(lines / (LARGE_FIELD.split("\n").length - 1));
  const fields = Array.from({ length: count }, (_, index) => LARGE_FIELD.replaceAll("NAME", `field${index}`)).join("");
  return {
    mode: "create",
    version: "1.36",
    fieldValidation: "strict",
    texts: { definition: `${LARGE_HEAD}${fields}`, object: LARGE_OBJECT },
  };
}

const LARGE_HEAD = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: larges.example.com
spec:
  group: example.com
  scope: Namespaced
  names: {plural: larges, singular: large, kind: Large, listKind: LargeList}
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec:
              type: object
              properties:
`;

const LARGE_FIELD = `                NAME:
                  description: What NAME is for, in a sentence or two, as generators write it from comments.
                  type: object
                  properties:
                    name: {type: string, maxLength: 63, pattern: "^[a-z]([-a-z0-9]*[a-z0-9])?$"}
                    ports:
                      type: array
                      maxItems: 16
                      items: {type: integer, minimum: 1, maximum: 65535}
                  x-kubernetes-validations:
                    - rule: "!has(self.name) || !has(self.ports) || self.ports.size() > 0"
                      message: NAME needs a port
`;

const LARGE_OBJECT = `apiVersion: example.com/v1
kind: Large
metadata:
  name: large
spec:
  field0: {name: a, ports: [80]}
  field7: {name: b, ports: []}
# a note
`;
