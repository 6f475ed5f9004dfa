/**
 * Random edits: whatever the text is at a pause, the editor shows what `portcullis check` reports. LSP_PAUSES and LSP_SEED
 * give longer and other sessions.
 */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { CRD, POLICY, startEditor, WIDGET } from "@portcullis/lsp/internal/server/workspace.testing";
import { expect, test } from "vitest";
import { checked, current, type Files } from "./lsp.testing.ts";

const PAUSES = Number(process.env["LSP_PAUSES"] ?? 24);
const SEED = Number(process.env["LSP_SEED"] ?? 1);
const EDITED = "deploy/edited.yaml";
const CONTEXT: Files = { "crds/widget.yaml": CRD, "policies/small.yaml": POLICY };

test("random edits show what a check of the same text reports", async () => {
  const random = generator(SEED);
  const texts = startTexts();
  let withFindings = 0;
  for (let pause = 0; pause < PAUSES; ) {
    const start = pick(texts, random);
    const editor = await startEditor({ ...CONTEXT, [EDITED]: start });
    await editor.open(EDITED, start);
    for (let step = 0; step < 8 && pause < PAUSES; step++, pause++) {
      const text = editor.textOf(EDITED);
      await editor.replace(EDITED, text, edited(text, random));
      const shown = current(await editor.diagnostics(EDITED));
      const wanted = await checked({ ...CONTEXT, [EDITED]: editor.textOf(EDITED) }, EDITED);
      expect(shown, editor.textOf(EDITED)).toEqual(wanted);
      if (shown.length > 0) withFindings++;
    }
    expect(editor.errors).toEqual([]);
  }
  expect(withFindings).toBeGreaterThan(PAUSES / 4);
});

function startTexts(): readonly string[] {
  const folder = path.resolve(import.meta.dirname, "../../../../examples/policies");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => /\.ya?ml$/.test(name));
  const own = files.sort().map((name) => readFileSync(path.join(folder, name), "utf8"));
  return [WIDGET, ...own.filter((text) => !text.includes("test.portcullis.dev") && text.length < 6000)];
}

/** One careless edit of lines or letters. */
function edited(text: string, random: () => number): string {
  const lines = text.split("\n");
  const at = Math.floor(random() * lines.length);
  const line = lines[at] ?? "";
  const column = Math.floor(random() * (line.length + 1));
  const changes: readonly (() => readonly string[])[] = [
    () => [],
    () => [line, line],
    () => [`  ${line}`],
    () => [line.replace(/^ {2}/, "")],
    () => [line.slice(0, column)],
    () => [
      line.slice(0, column) + pick([":", "-", "{", "'", "#", "x", "9", " ", "&a ", "|"], random) + line.slice(column),
    ],
    () => [
      line.replace(/: .*$/, `: ${pick(["", "null", "-1", "1.5", "true", "{}", "[]", "'a b'", "99999999999"], random)}`),
    ],
    () => [line.replace(/\w+/, (word) => word.slice(1))],
    () => [line, "---"],
  ];
  return lines.toSpliced(at, 1, ...pick(changes, random)()).join("\n");
}

function pick<T>(from: readonly T[], random: () => number): T {
  return from[Math.floor(random() * from.length)] as T;
}

/** Numbers from 0 to 1, the same for the same seed. */
function generator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state * 1664525 + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
