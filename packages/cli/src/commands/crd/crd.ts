/** `portcullis crd …`: commands for CustomResourceDefinitions. */
import { commandGroup } from "../../frame/group.ts";

export const crd = commandGroup({
  name: "crd",
  summary: "validate and compare CRDs, and estimate what their rules cost",
  about: ["Commands for CustomResourceDefinitions (CRDs) from files, git or a cluster."],
  examples: [
    { does: "check whether the API server accepts the CRDs", run: "portcullis crd lint crds/" },
    { does: "find out what an upgrade breaks", run: "portcullis crd diff git:v1.2.0:config/crd config/crd" },
    { does: "print the cost of each rule", run: "portcullis crd cost crds/" },
  ],
  subcommands: [
    { name: "lint", load: async () => (await import("./crd-lint.ts")).crdLint },
    { name: "cost", load: async () => (await import("./crd-cost.ts")).crdCost },
    { name: "diff", load: async () => (await import("./crd-diff.ts")).crdDiff },
    { name: "sample", load: async () => (await import("./crd-sample.ts")).crdSample },
    { name: "scan", load: async () => (await import("./crd-scan.ts")).crdScan },
  ],
});
