/** The texts of the last commit, for checks as updates. Without git, or outside of a repository, there are none. */
import { execFile } from "node:child_process";

/** How long the commit is taken to be the same. */
const FRESH_MS = 2000;
const TIMEOUT_MS = 5000;
const MAX_BYTES = 16 * 1024 * 1024;

export class HeadTexts {
  readonly #root: string;
  readonly #texts = new Map<string, Promise<string | undefined>>();
  #commit: { readonly id: Promise<string | undefined>; readonly at: number } | undefined;
  #known: string | undefined;

  constructor(root: string) {
    this.#root = root;
  }

  /** Undefined if the commit does not have the file. */
  async textOf(file: string): Promise<string | undefined> {
    const commit = await this.#current();
    if (commit === undefined) return undefined;
    if (commit !== this.#known) this.#texts.clear();
    this.#known = commit;
    const known = this.#texts.get(file);
    if (known !== undefined) return known;
    const text = this.#git("show", `${commit}:./${file}`);
    this.#texts.set(file, text);
    return text;
  }

  #current(): Promise<string | undefined> {
    if (this.#commit === undefined || performance.now() - this.#commit.at > FRESH_MS) {
      const id = this.#git("rev-parse", "--verify", "--quiet", "HEAD").then((text) => text?.trim());
      this.#commit = { id, at: performance.now() };
    }
    return this.#commit.id;
  }

  #git(...args: readonly string[]): Promise<string | undefined> {
    const options = { cwd: this.#root, timeout: TIMEOUT_MS, maxBuffer: MAX_BYTES, encoding: "utf8" } as const;
    return new Promise((resolve) => {
      execFile("git", [...args], options, (problem, stdout) => resolve(problem === null ? stdout : undefined));
    });
  }
}
