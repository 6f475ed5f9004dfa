/**
 * A documentation page as a runnable script.
 *
 *     ```console        lines after `$ ` are commands, the lines below their output; `…` matches anything
 *     ```sh             commands that must succeed, with any output
 *     ```ts             a program that must exit with 0
 *     ```yaml title=F   a file that is created before the commands run (any language)
 *
 * A block after `<!-- not run: reason -->` is not run; every other block of these languages is.
 */

export interface Page {
  readonly name: string;
  /** The files that the page shows, by name. */
  readonly files: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
  readonly notRun: readonly { readonly line: number; readonly reason: string }[];
}

export type Step = ConsoleStep | ScriptStep;

interface ConsoleStep {
  readonly kind: "console";
  readonly line: number;
  readonly command: string;
  readonly output: string;
}

interface ScriptStep {
  readonly kind: "sh" | "ts";
  readonly line: number;
  readonly text: string;
}

interface Block {
  readonly line: number;
  readonly language: string;
  readonly title: string | undefined;
  readonly text: string;
  readonly reason: string | undefined;
}

export function readPage(name: string, text: string): Page {
  const blocks = blocksOf(text);
  const runnable = blocks.filter(
    ({ language, title }) => ["console", "sh", "ts"].includes(language) && title === undefined,
  );
  return {
    name,
    files: Object.fromEntries(blocks.flatMap(({ title, text: body }) => (title === undefined ? [] : [[title, body]]))),
    steps: runnable.filter(({ reason }) => reason === undefined).flatMap(stepsOf),
    notRun: runnable.flatMap(({ line, reason }) => (reason === undefined ? [] : [{ line, reason }])),
  };
}

function blocksOf(text: string): Block[] {
  const lines = text.split("\n");
  const blocks: Block[] = [];
  let reason: string | undefined;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const mark = /^<!-- not run: (.+) -->$/.exec(line);
    if (mark !== null) reason = mark[1];
    const fence = /^```(\S+)(?: title=(\S+))?$/.exec(line);
    if (fence === null) continue;
    const end = lines.indexOf("```", at + 1);
    const body = lines
      .slice(at + 1, end)
      .map((each) => `${each}\n`)
      .join("");
    blocks.push({ line: at + 1, language: fence[1] ?? "", title: fence[2], text: body, reason });
    reason = undefined;
    at = end;
  }
  return blocks;
}

function stepsOf({ language, line, text }: Block): Step[] {
  if (language !== "console") return [{ kind: language === "ts" ? "ts" : "sh", line, text }];
  const parts = text.split(/^\$ /m);
  let at = line + 1;
  return parts.flatMap((part, index) => {
    const start = at;
    at += part.split("\n").length - 1;
    if (index === 0) return [];
    const [command = "", ...output] = part.split("\n");
    return [{ kind: "console" as const, line: start, command, output: output.join("\n").trimEnd() }];
  });
}

/** Whether the text matches the page; a line `…` matches any lines, `…` inside a line any text. */
export function matchesOutput(expected: string, actual: string): boolean {
  if (expected === actual) return true;
  const pattern = expected
    .split("\n")
    .map((line) => (line === "…" ? "(?:.*\n)*?.*" : line.split("…").map(escapePattern).join(".*")))
    .join("\n");
  return new RegExp(`^${pattern}$`).test(actual);
}

function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
