/** Selects the cluster: `--kubeconfig`, or the same defaults as kubectl. */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { UsageError } from "@portcullis/checker/internal/input/usage-error";
import type { OptionSpecs } from "../frame/option-spec.ts";
import type { Options } from "../frame/options.ts";
import { ClusterClient } from "./client.ts";
import { readKubeconfig } from "./kubeconfig.ts";

export const CLUSTER_OPTIONS = {
  kubeconfig: {
    type: "string",
    value: "FILE",
    group: "inputs",
    text: "how to reach the cluster (default $KUBECONFIG, then ~/.kube/config)",
  },
  context: {
    type: "string",
    value: "NAME",
    group: "inputs",
    text: "a context of the kubeconfig other than its current one",
  },
} as const satisfies OptionSpecs;

export function openCluster(options: Options): ClusterClient {
  const [first = ""] = (process.env["KUBECONFIG"] ?? "").split(path.delimiter);
  const file = options.text("kubeconfig") ?? (first === "" ? path.join(homedir(), ".kube", "config") : first);
  if (!existsSync(file)) throw new UsageError(`no kubeconfig at \`${file}\`; name one with --kubeconfig`);
  return new ClusterClient(readKubeconfig(file, options.text("context")));
}
