/** What a tool reads: text in the call, or files below the folder that the server was started for. */
import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { UsageError } from "@portcullis/checker/internal/input/usage-error";

/** More than any manifest; a call is not a way to fill a disk. */
const LARGEST_TEXT = 16 * 1024 * 1024;

export class Sources {
  readonly #root: string;
  #folder: string | undefined;

  constructor(root: string) {
    this.#root = realpathSync(root);
  }

  /** The path to give to a command. A text is put into a file of its own until `close`. */
  pathOf(argument: unknown, name: string): string {
    if (typeof argument !== "object" || argument === null)
      throw new UsageError(`${name} must have \`text\` or \`path\``);
    const { text, path: given } = argument as Readonly<Record<string, unknown>>;
    if (typeof text === "string") return this.#write(text, name);
    if (typeof given === "string") return this.#inside(given);
    throw new UsageError(`${name} must have \`text\` or \`path\``);
  }

  close(): void {
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true });
  }

  #write(text: string, name: string): string {
    if (text.length > LARGEST_TEXT) throw new UsageError(`${name} is larger than ${LARGEST_TEXT} characters`);
    this.#folder ??= mkdtempSync(path.join(tmpdir(), "portcullis-mcp-"));
    const file = path.join(this.#folder, `${name}.yaml`);
    writeFileSync(file, text, { mode: 0o600 });
    return file;
  }

  /** Links are followed first: they must not lead out of the folder either. */
  #inside(given: string): string {
    const full = path.resolve(this.#root, given);
    let real: string;
    try {
      real = realpathSync(full);
    } catch {
      throw new UsageError(`${given} does not exist`);
    }
    if (!this.#holds(real)) throw new UsageError(`${given} is outside of the folder that this server may read`);
    if (statSync(real).isDirectory()) this.#checkLinks(real);
    return real;
  }

  #holds(real: string): boolean {
    return real === this.#root || real.startsWith(this.#root + path.sep);
  }

  /** Commands follow links in folders. */
  #checkLinks(folder: string): void {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const full = path.join(folder, entry.name);
      if (entry.isDirectory()) this.#checkLinks(full);
      if (entry.isSymbolicLink() && existsSync(full) && !this.#holds(realpathSync(full)))
        throw new UsageError(
          `${path.relative(this.#root, full)} leads outside of the folder that this server may read`,
        );
    }
  }
}
