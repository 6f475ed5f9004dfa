/** Where and with how many processes `portcullis serve` listens, from its options. */
import { UsageError } from "@portcullis/checker/internal/input/usage-error";

export const DEFAULT_PORT = 6443;

export function readPort(text: string | undefined): number {
  const port = text === undefined ? DEFAULT_PORT : Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65535) throw new UsageError(`\`${text}\` is not a port`);
  return port;
}

const MAX_PROCESSES = 64;

export function readProcesses(text = "1"): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= MAX_PROCESSES) return count;
  throw new UsageError(`\`${text}\` is not a number of processes from 1 to ${MAX_PROCESSES}`);
}

const PLAIN_TO_OTHERS =
  "warning: `--insecure-http` with this `--bind-address` sends tokens and secrets unencrypted to other machines\n";

function isLocal(host = "127.0.0.1"): boolean {
  return host === "localhost" || host === "::1" || host.startsWith("127.");
}

/** "" if only this machine can connect. */
export function plainWarning(host: string | undefined): string {
  return isLocal(host) ? "" : PLAIN_TO_OTHERS;
}
