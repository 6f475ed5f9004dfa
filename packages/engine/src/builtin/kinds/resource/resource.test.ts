import { testKinds } from "../kind.testing.ts";

const requests = [{ name: "r", exactly: { deviceClassName: "c" } }];
const slice = { driver: "d", pool: { name: "p", resourceSliceCount: 1 } };

testKinds({
  "resource.k8s.io/v1/DeviceClass": {
    valid: { spec: {} },
    wrong: { spec: { selectors: [{}] } },
    errors: ["spec.selectors[0].cel: Required value"],
  },
  "resource.k8s.io/v1/ResourceClaim": {
    valid: { spec: { devices: { requests } } },
    wrong: { spec: { devices: { requests: [{ name: "r" }] } } },
    errors: ["spec.devices.requests[0]: Required value: exactly one of `exactly` or `firstAvailable` is required"],
  },
  "resource.k8s.io/v1/ResourceClaimTemplate": {
    valid: { spec: { spec: { devices: { requests } } } },
    wrong: { spec: { spec: { devices: { requests: [{ name: "r" }] } } } },
    errors: ["spec.spec.devices.requests[0]: Required value: exactly one of `exactly` or `firstAvailable` is required"],
  },
  "resource.k8s.io/v1/ResourceSlice": {
    valid: { spec: { ...slice, nodeName: "n" } },
    wrong: { spec: slice },
    errors: [
      "spec: Required value: exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required",
    ],
  },
});
