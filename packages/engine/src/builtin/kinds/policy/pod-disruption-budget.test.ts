import { testKinds } from "../kind.testing.ts";

testKinds({
  "policy/v1/PodDisruptionBudget": {
    valid: { spec: { minAvailable: 1 } },
    wrong: { spec: { minAvailable: "150%" } },
    errors: ['spec.minAvailable: Invalid value: "150%": must not be greater than 100%'],
  },
});
