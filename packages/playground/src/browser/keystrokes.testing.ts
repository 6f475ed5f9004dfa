/** Measures the time from a keystroke to its verdict in a real Chromium. Recorded as figures; no test depends on it. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import type { Field, Mode } from "../modes.ts";
import { toFragment } from "../share.ts";
import type { State } from "../state.ts";
import { ARTEFACTS, BuiltPage, launchChromium, type Shown, Tab } from "./chromium.testing.ts";

export interface Keystrokes {
  readonly lines: number;
  readonly edited: string;
  /** From the keystroke to the verdict on the page, in milliseconds, in the order of typing. */
  readonly milliseconds: readonly number[];
  /** To the final verdict, if a preliminary one came first. */
  readonly whole: readonly number[];
}

interface Edit {
  readonly mode: Mode;
  readonly field: Field;
  readonly what: string;
  /** The line to type at the end of. */
  readonly line: string;
  /** Typed in turn. */
  readonly keys: readonly string[];
}

/** Typing leaves what is there valid: in a comment, in a description, in the digits of a bound. */
const EDITS: readonly Edit[] = [
  { mode: "create", field: "object", what: "object", line: "# a note", keys: ["x"] },
  { mode: "create", field: "definition", what: "definition", line: "description: What field0", keys: ["x"] },
  { mode: "upgrade", field: "definition", what: "new, description", line: "description: What field0", keys: ["x"] },
  { mode: "upgrade", field: "definition", what: "new, bound", line: "maxItems: 16", keys: ["0", "Backspace"] },
  { mode: "upgrade", field: "oldDefinition", what: "old, bound", line: "maxItems: 16", keys: ["0", "Backspace"] },
];

export async function typeAndMeasure(chromium: BuiltPage, lines: number, count: number): Promise<Keystrokes[]> {
  const figures: Keystrokes[] = [];
  for (const mode of ["create", "upgrade"] as const) {
    const tab = await Tab.open(chromium, await toFragment(largeState(lines, mode)));
    for (const edit of EDITS.filter((each) => each.mode === mode)) figures.push(await measure(tab, edit, lines, count));
    await tab.close();
  }
  return figures;
}

async function measure(tab: Tab, { mode, field, what, line, keys }: Edit, lines: number, count: number) {
  await tab.page.locator(`[data-field="${field}"] .cm-line`, { hasText: line }).first().click();
  await tab.page.keyboard.press("End");
  const taken: Shown[] = [];
  for (let i = 0; i < count; i++) {
    await tab.change(() => tab.page.keyboard.press(keys[i % keys.length] ?? "x"));
    taken.push(await tab.verdict());
  }
  return {
    lines,
    edited: `${mode}: ${what}`,
    milliseconds: taken.map(({ milliseconds }) => milliseconds),
    whole: taken.map(({ whole }) => whole),
  };
}

export function keepFigures(figures: readonly Keystrokes[]): void {
  writeFileSync(path.join(ARTEFACTS, "keystrokes.json"), `${JSON.stringify(figures, null, 2)}\n`);
}

/** For the benchmark: undefined without Chromium. */
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

/**
 * A CRD with many fields, with bounds, patterns and rules, as in large projects; twelve lines per field. Its upgrade
 * tightens every tenth of them.
 */
export function largeState(lines: number, mode: "create" | "upgrade" = "create"): State {
  const count = Math.ceil(lines / (LARGE_FIELD.split("\n").length - 1));
  const fields = Array.from({ length: count }, (_, index) => LARGE_FIELD.replaceAll("NAME", `field${index}`));
  const tighter = fields.map((field, index) =>
    index % 10 === 9 ? field.replace("maxLength: 63", "maxLength: 40") : field,
  );
  const before = `${LARGE_HEAD}${fields.join("")}`;
  const after = `${LARGE_HEAD}${tighter.join("")}`;
  return {
    mode,
    version: "1.36",
    fieldValidation: "strict",
    texts:
      mode === "create" ? { definition: before, object: LARGE_OBJECT } : { oldDefinition: before, definition: after },
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
