/** `portcullis policy …`: ValidatingAdmissionPolicies without a cluster. */
import { commandGroup } from "../../frame/group.ts";

export const policy = commandGroup({
  name: "policy",
  summary: "evaluate, test, compare, prove and convert admission policies",
  about: ["Admission policies without a cluster, with the same decisions, messages and costs as in the API server."],
  examples: [
    {
      does: "evaluate a request and explain the decision",
      run: "portcullis policy eval policies/ --object web.yaml --explain",
    },
    { does: "run tests with coverage", run: "portcullis policy test policies/ --coverage" },
    { does: "report what a change denies or allows, with proof", run: "portcullis policy diff policies/ changed/" },
    { does: "report requests that policies miss", run: "portcullis policy gaps policies/" },
  ],
  subcommands: [
    { name: "new", load: async () => (await import("./policy-new.ts")).policyNew },
    { name: "eval", load: async () => (await import("./policy-eval.ts")).policyEval },
    { name: "test", load: async () => (await import("../test.ts")).policyTest },
    { name: "diff", load: async () => (await import("./policy-diff.ts")).policyDiff },
    { name: "prove", load: async () => (await import("./policy-prove.ts")).policyProve },
    { name: "gaps", load: async () => (await import("./policy-gaps.ts")).policyGapsCommand },
    { name: "parity", load: async () => (await import("./policy-parity.ts")).policyParity },
    { name: "convert", load: async () => (await import("./policy-convert.ts")).policyConvert },
  ],
});
