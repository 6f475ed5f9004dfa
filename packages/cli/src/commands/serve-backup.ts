/** `portcullis backup` and `portcullis restore`: copies of what `portcullis serve` keeps in its data directory. */
import { backupSqliteStore, restoreSqliteBackup } from "@portcullis/server";
import { type Command, type CommandIo, EXIT, UsageError } from "./command.ts";
import type { OptionSpecs } from "./option-spec.ts";
import { parseOptions } from "./options.ts";
import { DEFAULT_DATA } from "./serve-storage.ts";

const OPTIONS = {
  "data-dir": { type: "string", value: "DIR", text: `the server's data directory (default ${DEFAULT_DATA})` },
} as const satisfies OptionSpecs;

export const backup: Command = {
  name: "backup",
  summary: "a copy of a server's objects, while it runs",
  manual: {
    usage: ["backup FILE [options]"],
    about: [
      "Writes a consistent copy of everything in a data directory to one file. The server may be running, and goes on; the file is complete under its name or not there at all.",
      "Objects in etcd are copied by etcdctl snapshot save.",
    ],
    examples: [{ does: "a copy of the default data directory", run: "portcullis backup monday.db" }],
    args: [["FILE", "where to; it must not be there yet"]],
    options: OPTIONS,
  },
  run: runBackup,
};

export const restore: Command = {
  name: "restore",
  summary: "a data directory from a backup",
  manual: {
    usage: ["restore FILE [options]"],
    about: [
      "Makes a data directory from a file that `portcullis backup` wrote. The directory must hold no store. Revisions jump ahead, so that clients which saw newer ones start over instead of missing changes.",
    ],
    examples: [
      { does: "into a directory of its own", run: "portcullis restore monday.db --data-dir restored" },
      { does: "serve it", run: "portcullis serve --data-dir restored" },
    ],
    args: [["FILE", "the backup"]],
    options: OPTIONS,
  },
  run: runRestore,
};

async function runBackup(args: readonly string[], io: CommandIo): Promise<number> {
  const { file, dataDir } = read(args);
  await usageOf(() => backupSqliteStore({ dataDir, target: file }));
  io.stderr(`${dataDir} is in ${file}\n`);
  return EXIT.ok;
}

async function runRestore(args: readonly string[], io: CommandIo): Promise<number> {
  const { file, dataDir } = read(args);
  const revision = await usageOf(() => restoreSqliteBackup({ backup: file, dataDir }));
  io.stderr(`${file} is in ${dataDir}, from revision ${revision} on\n`);
  return EXIT.ok;
}

function read(args: readonly string[]): { readonly file: string; readonly dataDir: string } {
  const options = parseOptions(args, OPTIONS);
  const [file, ...more] = options.positionals;
  if (file === undefined || more.length > 0) throw new UsageError("name one file");
  return { file, dataDir: options.text("data-dir") ?? DEFAULT_DATA };
}

/** What a store says about files is about what was on the command line. */
async function usageOf<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (problem) {
    throw new UsageError(problem instanceof Error ? problem.message : String(problem));
  }
}
