/** Formats help: usage, examples, description, arguments, options by group, exit codes; all from the declaration. */
import type { Command, Manual, Row } from "./command.ts";
import { DEFAULT_GROUP, GLOBAL_OPTIONS, type OptionSpec, type OptionSpecs } from "./option-spec.ts";

export interface PageOptions {
  readonly color: boolean;
  readonly columns?: number | undefined;
}

/** For a command that only has subcommands. */
const PLAIN_EXITS: readonly Row[] = [
  ["0", "success, or stopped by a signal"],
  ["2", "usage error or unreadable input"],
  ["3", "internal error"],
];

const MAX_WIDTH = 100;
const MIN_WIDTH = 50;
/** The description of a longer name starts on the next line. */
const MAX_WORD = 26;

export function formatHelp(
  command: Pick<Command, "summary">,
  manual: Manual,
  path: string,
  options: PageOptions & { readonly subcommands?: readonly Command[] },
): string {
  const page = new Page(options);
  const { subcommands = [] } = options;
  page.heading("NAME");
  page.paragraph(`${path} - ${command.summary}`);
  page.heading("USAGE");
  for (const usage of manual.usage) page.line(`portcullis ${usage}`);
  if (manual.examples.length > 0) page.heading("EXAMPLES");
  for (const [index, { does, run }] of manual.examples.entries()) {
    if (index > 0) page.blank();
    page.line(`# ${does}`);
    page.line(run);
  }
  if (manual.about.length > 0) page.heading("DESCRIPTION");
  for (const [index, text] of manual.about.entries()) {
    if (index > 0) page.blank();
    page.paragraph(text);
  }
  if (subcommands.length > 0)
    page.table(
      "COMMANDS",
      subcommands.map(({ name, summary }): Row => [name, summary]),
    );
  if (manual.args !== undefined) page.table("ARGUMENTS", manual.args);
  for (const [group, rows] of optionGroups(manual.options)) page.table(group, rows);
  if (subcommands.length === 0) page.table("OPTIONS OF EVERY COMMAND", Object.entries(GLOBAL_OPTIONS).map(optionRow));
  if (subcommands.length === 0) page.table("EXIT CODES", manual.exits ?? PLAIN_EXITS);
  return page.finish();
}

/** Options without a group come last, under a generic heading. */
function optionGroups(specs: OptionSpecs): readonly (readonly [string, Row[]])[] {
  const groups = new Map<string, Row[]>();
  for (const [name, spec] of Object.entries(specs)) {
    if (spec.isHidden === true) continue;
    const group = spec.group ?? DEFAULT_GROUP;
    groups.set(group, [...(groups.get(group) ?? []), optionRow([name, spec])]);
  }
  const plain = groups.size === 1;
  return [...groups].map(([group, rows]) => [plain ? "OPTIONS" : `OPTIONS: ${group}`, rows]);
}

function optionRow([name, spec]: readonly [string, OptionSpec]): Row {
  const short = spec.short === undefined ? "    " : `-${spec.short}, `;
  const value = spec.type === "boolean" ? "" : ` ${spec.value ?? "VALUE"}`;
  const more = spec.multiple === true ? "; repeatable" : "";
  return [`${short}--${name}${value}`, `${spec.text ?? ""}${more}`];
}

/** Topics and the overview share this layout. */
export class Page {
  readonly #lines: string[] = [];
  readonly #color: boolean;
  readonly #width: number;

  constructor({ color, columns }: PageOptions) {
    this.#color = color;
    this.#width = Math.max(MIN_WIDTH, Math.min(columns ?? MAX_WIDTH, MAX_WIDTH));
  }

  heading(text: string): void {
    if (this.#lines.length > 0) this.blank();
    this.#lines.push(this.#color ? `\x1b[1m${text}\x1b[0m` : text);
  }

  blank(): void {
    this.#lines.push("");
  }

  line(text: string): void {
    this.#lines.push(`  ${text}`);
  }

  paragraph(text: string): void {
    for (const line of wrap(text, this.#width - 2)) this.line(line);
  }

  table(heading: string, rows: readonly Row[]): void {
    if (rows.length === 0) return;
    this.heading(heading);
    this.rows(rows);
  }

  rows(rows: readonly Row[]): void {
    const width = Math.min(MAX_WORD, Math.max(...rows.map(([word]) => word.length)));
    for (const [word, text] of rows) {
      const [first = "", ...rest] = wrap(text, this.#width - width - 4);
      if (word.length > width) {
        this.line(word);
        this.line(`${" ".repeat(width)}  ${first}`);
      } else this.line(`${word.padEnd(width)}  ${first}`.trimEnd());
      for (const line of rest) this.line(`${" ".repeat(width)}  ${line}`);
    }
  }

  finish(): string {
    return `${this.#lines.join("\n")}\n`;
  }
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
