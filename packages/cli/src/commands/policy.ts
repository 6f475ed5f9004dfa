/** `portcullis policy …`: ValidatingAdmissionPolicies without a cluster. */
import { commandGroup } from "../frame/group.ts";

export const policy = commandGroup({
  name: "policy",
  summary: "evaluate, test, compare, prove and convert ValidatingAdmissionPolicies",
  about: ["ValidatingAdmissionPolicies without a cluster: same verdict, same words, same cost."],
  examples: [
    { does: "would this be let in, and why?", run: "portcullis policy eval policies/ --object web.yaml --explain" },
    { does: "do the policies do what they should?", run: "portcullis policy test policies/ --coverage" },
    { does: "what does a change deny or allow, with proof?", run: "portcullis policy diff policies/ changed/" },
    { does: "what slips through?", run: "portcullis policy gaps policies/" },
  ],
  subcommands: [
    { name: "eval", load: async () => (await import("./policy-eval.ts")).policyEval },
    { name: "test", load: async () => (await import("./policy-test.ts")).policyTest },
    { name: "diff", load: async () => (await import("./policy-diff.ts")).policyDiff },
    { name: "prove", load: async () => (await import("./policy-prove.ts")).policyProve },
    { name: "gaps", load: async () => (await import("./policy-gaps.ts")).policyGapsCommand },
    { name: "convert", load: async () => (await import("./policy-convert.ts")).policyConvert },
  ],
});
