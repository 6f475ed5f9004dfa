import { testKinds } from "../kind.testing.ts";

testKinds({
  "coordination.k8s.io/v1/Lease": {
    valid: { spec: { leaseDurationSeconds: 1 } },
    wrong: { spec: { leaseDurationSeconds: 0 } },
    errors: ["spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0"],
  },
});
