import { testKinds } from "../kind.testing.ts";

testKinds({
  "flowcontrol.apiserver.k8s.io/v1/FlowSchema": {
    valid: { spec: { priorityLevelConfiguration: { name: "p" } } },
    wrong: { spec: { priorityLevelConfiguration: { name: "" } } },
    errors: ["spec.priorityLevelConfiguration.name: Required value: must reference a priority level"],
  },
  "flowcontrol.apiserver.k8s.io/v1/PriorityLevelConfiguration": {
    valid: { spec: { type: "Limited", limited: { limitResponse: { type: "Reject" } } } },
    wrong: { spec: { type: "Unlimited" } },
    errors: ['spec.type: Unsupported value: "Unlimited": supported values: "Exempt", "Limited"'],
  },
});
