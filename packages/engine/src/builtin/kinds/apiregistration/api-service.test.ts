import { testKinds } from "../kind.testing.ts";

testKinds({
  "apiregistration.k8s.io/v1/APIService": {
    valid: {
      metadata: { name: "v1.g" },
      spec: { group: "g", version: "v1", groupPriorityMinimum: 1, versionPriority: 1 },
    },
    wrong: {
      metadata: { name: "g.v1" },
      spec: { group: "g", version: "v1", groupPriorityMinimum: 1, versionPriority: 1 },
    },
    errors: ['metadata.name: Invalid value: "g.v1": must be `spec.version+"."+spec.group`: "v1.g"'],
  },
});
