/** Selects the cluster: `--kubeconfig`, or the same defaults as kubectl. */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { UsageError } from "@portcullis/checker/internal/input/usage-error";
import type { Options } from "../frame/options.ts";
import { ClusterClient } from "./client.ts";
import { readKubeconfig } from "./kubeconfig.ts";

export function openCluster(options: Options): ClusterClient {
  const named = options.text("kubeconfig");
  // As in kubectl, files of the variable that do not exist are left out.
  const files = named === undefined ? (process.env["KUBECONFIG"] ?? "").split(path.delimiter) : [named];
  const standard = path.join(homedir(), ".kube", "config");
  const wanted = files.some((file) => file !== "") ? files.filter((file) => file !== "") : [standard];
  const found = wanted.filter((file) => existsSync(file));
  if (found.length === 0) throw new UsageError(`no kubeconfig at \`${wanted.join(", ")}\`; name one with --kubeconfig`);
  return new ClusterClient(readKubeconfig(found.join(path.delimiter), options.text("context")));
}
