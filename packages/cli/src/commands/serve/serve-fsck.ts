/** `portcullis fsck`: what a data directory or a backup holds, and what of it is damaged. */
import { UsageError } from "@portcullis/checker/internal/input/usage-error";
import { checkSqliteStore, type StoreReport } from "@portcullis/server/internal";
import { type Command, type CommandIo, EXIT, type Row } from "../../frame/command.ts";
import type { OptionSpecs } from "../../frame/option-spec.ts";
import { parseOptions } from "../../frame/options.ts";
import { DEFAULT_DATA } from "./serve-storage.ts";

const OPTIONS = {} as const satisfies OptionSpecs;

const EXITS: readonly Row[] = [
  ["0", "the store is sound"],
  ["1", "something is wrong with it"],
  ["2", "there is no store, or a server is using it"],
];

export const fsck: Command = {
  name: "fsck",
  summary: "check a data directory or a backup for damage",
  manual: {
    usage: ["fsck [DIR | FILE]"],
    about: [
      "Reads everything: SQLite's pages, the write-ahead log, the checksum of every revision and every object. Nothing is changed. The server must be stopped; of one that runs, check a backup.",
    ],
    examples: [
      { does: "the default data directory", run: "portcullis fsck" },
      { does: "a backup", run: "portcullis fsck monday.db" },
    ],
    args: [["DIR | FILE", `a data directory or a backup (default ${DEFAULT_DATA})`]],
    options: OPTIONS,
    exits: EXITS,
  },
  run: runFsck,
};

async function runFsck(args: readonly string[], io: CommandIo): Promise<number> {
  const [place = DEFAULT_DATA, ...more] = parseOptions(args, OPTIONS).positionals;
  if (more.length > 0) throw new UsageError("name one directory or file");
  const report = await check(place);
  const { contents, problems } = report;
  for (const problem of problems) io.stderr(`${problem}\n`);
  if (contents !== undefined) io.stdout(`${describe(report.file, contents)}\n`);
  return problems.length === 0 ? EXIT.ok : EXIT.findings;
}

async function check(place: string): Promise<StoreReport> {
  try {
    return await checkSqliteStore(place);
  } catch (problem) {
    throw new UsageError(problem instanceof Error ? problem.message : String(problem));
  }
}

function describe(file: string, { objects, revision, compacted }: NonNullable<StoreReport["contents"]>): string {
  return `${file}: ${objects} objects at revision ${revision}, history from revision ${compacted} on`;
}
