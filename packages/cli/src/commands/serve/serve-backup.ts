/** `portcullis backup` and `portcullis restore`: copies of the data directory of `portcullis serve`. */

import { UsageError } from "@portcullis/checker/internal/input/usage-error";
import { backupSqliteStore, restoreSqliteBackup } from "@portcullis/server";
import { type Command, type CommandIo, EXIT } from "../../frame/command.ts";
import type { OptionSpecs } from "../../frame/option-spec.ts";
import { parseOptions } from "../../frame/options.ts";
import { DEFAULT_DATA } from "./serve-storage.ts";

const OPTIONS = {
  "data-dir": { type: "string", value: "DIR", text: `the server's data directory (default ${DEFAULT_DATA})` },
} as const satisfies OptionSpecs;

export const backup: Command = {
  name: "backup",
  summary: "back up the objects of a server",
  manual: {
    usage: ["backup FILE [options]"],
    about: [
      "Writes a consistent copy of a data directory to one file. The server can keep running. The file is either complete or does not exist.",
      "For objects in etcd, use etcdctl snapshot save.",
    ],
    examples: [{ does: "back up the default data directory", run: "portcullis backup monday.db" }],
    args: [["FILE", "the backup file; it must not exist"]],
    options: OPTIONS,
  },
  run: runBackup,
};

export const restore: Command = {
  name: "restore",
  summary: "restore a data directory from a backup",
  manual: {
    usage: ["restore FILE [options]"],
    about: [
      "Creates a data directory from a file that `portcullis backup` wrote. The directory must not contain a store. Revisions are increased, so that clients that saw newer revisions list again and do not miss changes.",
    ],
    examples: [
      { does: "restore into another directory", run: "portcullis restore monday.db --data-dir restored" },
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

/** Errors of a store about files refer to paths on the command line. */
async function usageOf<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (problem) {
    throw new UsageError(problem instanceof Error ? problem.message : String(problem));
  }
}
