import { testKinds } from "../kind.testing.ts";

testKinds({
  "node.k8s.io/v1/RuntimeClass": {
    valid: { handler: "h" },
    wrong: {},
    errors: ["handler: Required value"],
  },
});
