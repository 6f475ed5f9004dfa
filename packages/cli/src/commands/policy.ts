/** `portcullis policy …`: ValidatingAdmissionPolicies without a cluster. */
import { commandGroup } from "../frame/group.ts";

export const policy = commandGroup({
  name: "policy",
  summary: "evaluate, test and convert ValidatingAdmissionPolicies",
  about: ["ValidatingAdmissionPolicies without a cluster: same verdict, same words, same cost."],
  examples: [
    { does: "would this be let in, and why?", run: "portcullis policy eval policies/ --object web.yaml --explain" },
    { does: "do the policies do what they should?", run: "portcullis policy test policies/ --coverage" },
  ],
  subcommands: [
    { name: "eval", load: async () => (await import("./policy-eval.ts")).policyEval },
    { name: "test", load: async () => (await import("./policy-test.ts")).policyTest },
    { name: "diff", load: async () => (await import("./policy-diff.ts")).policyDiff },
    { name: "prove", load: async () => (await import("./policy-prove.ts")).policyProve },
    { name: "convert", load: async () => (await import("./policy-convert.ts")).policyConvert },
  ],
});
