/** Where logs go: the audit log to a file, everything else as lines of JSON. */
import { createWriteStream } from "node:fs";
import { type AuditPolicy, parseAuditPolicy } from "../observe/audit-policy.ts";
import type { AuditLog, Log } from "../observe/observer.ts";

/** Where an audit log is written, and what goes into it. */
export interface AuditFileOptions {
  /** Appended to; "-" is standard output. */
  readonly path: string;
  /** The text of a policy; everything at level Metadata where absent. */
  readonly policy?: string | undefined;
  /** Hears of a file that cannot be written. */
  readonly onError: (error: Error) => void;
}

/** An audit log in a file. */
export interface AuditFile extends AuditLog {
  close(): Promise<void>;
}

/**
 * Opens an audit log for appending; the file is readable by its owner only.
 * @example
 * const audit = openAuditFile({ path: `${folder}/audit.log`, onError: console.error });
 * await audit.close();
 */
export function openAuditFile({ path, policy, onError }: AuditFileOptions): AuditFile {
  const parsed: AuditPolicy | undefined = policy === undefined ? undefined : parseAuditPolicy(policy);
  const isStandard = path === "-";
  const stream = isStandard ? process.stdout : createWriteStream(path, { flags: "a", mode: 0o600 });
  stream.on("error", onError);
  return {
    ...(parsed === undefined ? {} : { policy: parsed }),
    write: (line) => void stream.write(`${line}\n`),
    close: () => new Promise((resolve) => (isStandard ? resolve() : void stream.end(() => resolve()))),
  };
}

/**
 * One object a line, with the members that JSON logs of Kubernetes components have.
 * @example const log = jsonLog((line) => process.stderr.write(`${line}\n`));
 */
export function jsonLog(write: (line: string) => void): Log {
  return (message, about) => write(JSON.stringify({ ts: Date.now(), v: 0, msg: message, ...about }));
}
