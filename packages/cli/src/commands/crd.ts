/** `portcullis crd …`: questions about CustomResourceDefinitions. */
import { commandGroup } from "../frame/group.ts";

export const crd = commandGroup({
  name: "crd",
  summary: "check and compare CustomResourceDefinitions, and what their rules cost",
  about: ["Questions about CustomResourceDefinitions, answered from files, from git, or from a cluster."],
  examples: [
    { does: "would the API server take these?", run: "portcullis crd lint crds/" },
    { does: "what does an upgrade break?", run: "portcullis crd diff git:v1.2.0:config/crd config/crd" },
    { does: "what do the rules cost?", run: "portcullis crd cost crds/" },
  ],
  subcommands: [
    { name: "lint", load: async () => (await import("./crd-lint.ts")).crdLint },
    { name: "cost", load: async () => (await import("./crd-cost.ts")).crdCost },
    { name: "diff", load: async () => (await import("./crd-diff.ts")).crdDiff },
    { name: "scan", load: async () => (await import("./crd-scan.ts")).crdScan },
  ],
});
