/** The file of `--authorization-config`, and the files that it and its flags name. */
import { createHash } from "node:crypto";
import { readFileSync, statSync, unwatchFile, watch, watchFile } from "node:fs";
import path from "node:path";
import type { KubernetesVersion } from "@portcullis/engine/internal/kubecel/versions";
import { parseAbacPolicies } from "../access/abac.ts";
import type { FileProblem } from "../access/configuration-context.ts";
import type { AbacMode } from "../access/modes.ts";
import { readAuthorizationConfiguration } from "../access/read-configuration.ts";
import type { AuthorizationFile } from "../access/reload.ts";
import { readConnection } from "./kubeconfig.ts";

export interface AuthorizationFiles {
  readonly file: string;
  readonly policyFile?: string | undefined;
  readonly version: KubernetesVersion;
}

export function openAuthorizationFile({ file, policyFile, version }: AuthorizationFiles): AuthorizationFile {
  const context = { version, checkFile, connect: readConnection, abac: () => readAbacFile(policyFile ?? "") };
  return {
    file,
    policyFile,
    hash: (text) => `sha256:${createHash("sha256").update(text).digest("hex")}`,
    readText: () => readFileSync(file, "utf8"),
    parse: (text) => readAuthorizationConfiguration(text, context),
    watch: (changed) => watchPlace(file, changed),
  };
}

/** Throws an Error where a policy is wrong. */
export function readAbacFile(file: string): AbacMode {
  return { type: "ABAC", policies: parseAbacPolicies(readFileSync(file, "utf8"), file) };
}

function checkFile(file: string): FileProblem | undefined {
  try {
    return statSync(file).isFile() ? undefined : { kind: "irregular" };
  } catch {
    return { kind: "unreadable", problem: `stat ${file}: no such file or directory` };
  }
}

/** Changes that no event reports are found by looking. */
const POLL_MS = 60_000;

/** The folder is watched: editors and clusters replace files by others. */
function watchPlace(file: string, changed: () => void): () => void {
  const watcher = watch(path.dirname(file), { persistent: false }, changed);
  watcher.on("error", () => watcher.close());
  watchFile(file, { persistent: false, interval: POLL_MS }, changed);
  return () => {
    watcher.close();
    unwatchFile(file, changed);
  };
}
