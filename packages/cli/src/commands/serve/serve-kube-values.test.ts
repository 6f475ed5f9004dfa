import { expect, test } from "vitest";
import { parseKubeFlags } from "./serve-kube-flags.ts";
import { checkKubeValues } from "./serve-kube-values.ts";

// biome-ignore format: a table
test.each([
  { args: ["--advertise-address=x"],           message: 'invalid argument "x" for "--advertise-address" flag: failed to parse IP: "x"' },
  { args: ["--audit-policy-file=/missing"],    message: 'loading audit policy file: failed to read file path "/missing": open /missing: no such file or directory' },
  { args: ["--goaway-chance=0.5"],             message: "--goaway-chance can not be less than 0 or greater than 0.02" },
  { args: ["--shutdown-delay-duration=-1s"],   message: "--shutdown-delay-duration can not be negative value" },
  { args: ["--event-ttl=long"],                message: 'invalid argument "long" for "--event-ttl" flag: time: invalid duration "long"' },
  { args: ["--storage-media-type=text/plain"], message: '--storage-media-type "text/plain" invalid, allowed values: application/json, application/vnd.kubernetes.protobuf, application/yaml' },
  { args: ["-v=x"],                            message: 'invalid argument "x" for "-v, --v" flag: strconv.ParseUint: parsing "x": invalid syntax' },
  { args: ["--vmodule=a"],                     message: 'invalid argument "a" for "--vmodule" flag: "a" does not have the pattern=N format' },
  { args: ["--endpoint-reconciler-type=x"],     message: "Reconciler not implemented: x" },
  { args: ["--watch-cache-sizes=pods"],        message: "invalid value of watch cache size: pods" },
  { args: ["--max-requests-inflight=0", "--max-mutating-requests-inflight=0"],
    message: "invalid configuration: MaxRequestsInFlight=0 and MaxMutatingRequestsInFlight=0; they must add up to something positive" },
])("$args are refused with upstream's message", ({ args, message }) => {
  expect(() => checkKubeValues(parseKubeFlags(args))).toThrow(new Error(message));
});

test("values that kube-apiserver accepts pass", () => {
  const args = [
    "--event-ttl=1h",
    "--vmodule=a=1,b=2",
    "--watch-cache-sizes=pods#10,nodes#5",
    "--max-requests-inflight=0",
  ];
  expect(() => checkKubeValues(parseKubeFlags(args))).not.toThrow();
});
