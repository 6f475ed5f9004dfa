/**
 * A certificate that somebody else keeps in files, such as cert-manager in a mounted Secret. New files are put to use
 * without a restart.
 *
 * Kubernetes replaces mounted files by moving a link, and certificate and key are two files, so they are polled and
 * only used if they match. Without a CA file the caBundle of the entries is left to another writer, such as
 * cert-manager's injector.
 */
import { readFileSync } from "node:fs";
import { createSecureContext } from "node:tls";
import type { CertificateState } from "./certificates.ts";
import { pause } from "./cluster/pause.ts";
import { problemOf } from "./cluster/reflector.ts";
import * as messages from "./messages.ts";

/** A certificate that somebody else issues and renews. */
export interface CertificateFiles {
  readonly certFile: string;
  readonly keyFile: string;
  /** The CAs that callers should trust. */
  readonly caFile?: string | undefined;
}

export interface CertificateFilesOptions extends CertificateFiles {
  readonly checkMs: number;
  readonly now: () => number;
  readonly onChange: (state: CertificateState) => void;
  readonly onLog: (text: string) => void;
  readonly onProblem: (problem: string) => void;
}

export class FileKeeper {
  readonly #options: CertificateFilesOptions;
  #state: CertificateState | undefined;
  #lastProblem = "";

  constructor(options: CertificateFilesOptions) {
    this.#options = options;
  }

  get state(): CertificateState | undefined {
    return this.#state;
  }

  /** Waits for files that are good, or the signal. */
  async load(signal: AbortSignal): Promise<CertificateState | undefined> {
    while (!signal.aborted && !this.#look()) await pause(this.#options.checkMs, signal);
    return this.#state;
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await pause(this.#options.checkMs, signal);
      if (!signal.aborted) this.#look();
    }
  }

  /** False if the files are not good; the last good ones stay in use. */
  #look(): boolean {
    try {
      this.#take(this.#read());
      this.#lastProblem = "";
      return true;
    } catch (error) {
      const problem = problemOf(error);
      if (problem !== this.#lastProblem) this.#options.onProblem(messages.certificatesFailed(problem));
      this.#lastProblem = problem;
      return false;
    }
  }

  #read(): CertificateState {
    const { certFile, keyFile, caFile, now } = this.#options;
    const serving = { cert: readFileSync(certFile, "utf8"), key: readFileSync(keyFile, "utf8") };
    createSecureContext(serving);
    const authorities = caFile === undefined ? [] : [readFileSync(caFile, "utf8")];
    return { serving, authorities, next: undefined, issuedAt: now(), changedAt: now() };
  }

  #take(state: CertificateState): void {
    const known = this.#state;
    if (known !== undefined && isSame(known, state)) return;
    this.#state = state;
    if (known !== undefined) this.#options.onLog(messages.certificatesRead());
    this.#options.onChange(state);
  }
}

function isSame(left: CertificateState, right: CertificateState): boolean {
  const isPairSame = left.serving.cert === right.serving.cert && left.serving.key === right.serving.key;
  return isPairSame && left.authorities.join() === right.authorities.join();
}
