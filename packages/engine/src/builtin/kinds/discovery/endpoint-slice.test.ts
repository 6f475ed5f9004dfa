import { testKinds } from "../kind.testing.ts";

testKinds({
  "discovery.k8s.io/v1/EndpointSlice": {
    valid: { addressType: "IPv4", endpoints: [{ addresses: ["10.0.0.1"] }] },
    wrong: { addressType: "IPv4", endpoints: [{ addresses: [] }] },
    errors: ["endpoints[0].addresses: Required value: must contain at least 1 address"],
  },
});
