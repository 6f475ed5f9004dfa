import { testKinds } from "../kind.testing.ts";

testKinds({
  "scheduling.k8s.io/v1/PriorityClass": {
    valid: { value: 1 },
    wrong: { value: 2_000_000_000 },
    errors: ["value: Forbidden: maximum allowed value of a user defined priority is 1000000000"],
  },
});
