/** Where logs go: the audit log to a file, everything else as lines of JSON. */
import { appendFileSync, closeSync, openSync } from "node:fs";
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
 * Opens an audit log for appending; the file is readable by its owner only. An event is in the file before its request is
 * answered, as with kube-apiserver.
 * @example
 * const audit = openAuditFile({ path: `${folder}/audit.log`, onError: console.error });
 * await audit.close();
 */
export function openAuditFile({ path, policy, onError }: AuditFileOptions): AuditFile {
  const parsed: AuditPolicy | undefined = policy === undefined ? undefined : parseAuditPolicy(policy);
  const target = path === "-" ? STANDARD_OUTPUT : appendTo(path, onError);
  return {
    ...(parsed === undefined ? {} : { policy: parsed }),
    write: (line) => target.write(`${line}\n`),
    close: async () => target.close(),
  };
}

interface LineTarget {
  write(line: string): void;
  close(): void;
}

const STANDARD_OUTPUT: LineTarget = { write: (line) => void process.stdout.write(line), close: () => {} };

function appendTo(path: string, onError: (error: Error) => void): LineTarget {
  const reported = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      onError(error instanceof Error ? error : new Error(String(error)));
    }
  };
  let file: number | undefined;
  reported(() => {
    file = openSync(path, "a", 0o600);
  });
  return {
    write: (line) => reported(() => file !== undefined && appendFileSync(file, line)),
    close: () => {
      const open = file;
      file = undefined;
      if (open !== undefined) reported(() => closeSync(open));
    },
  };
}

/**
 * One object a line, with the members that JSON logs of Kubernetes components have.
 * @example const log = jsonLog((line) => process.stderr.write(`${line}\n`));
 */
export function jsonLog(write: (line: string) => void): Log {
  return (message, about) => write(JSON.stringify({ ts: Date.now(), v: 0, msg: message, ...about }));
}
