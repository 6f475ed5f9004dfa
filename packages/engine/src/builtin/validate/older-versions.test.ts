import { expect, test } from "vitest";
import { type FieldError, GoJson, required } from "../../field/error.ts";
import { formatFieldError, formatFieldErrors } from "../../field/format.ts";
import { checkQualifiedName } from "../../field/names.ts";
import { newPath } from "../../field/path.ts";
import { fromPlain } from "../../value/copy.ts";
import type { JsonObject } from "../../value/json.ts";
import { asVersion, type KubernetesVersion } from "../../value/server-version.ts";
import { dropDisabledFields } from "../strategies/gated-fields.ts";
import { serviceWarnings } from "../warnings/networking.ts";
import { legacyCidr, legacyIp } from "./addresses.ts";
import { bytesValue, resourceList, timeValue } from "./go-values.ts";
import { conditionNeeds } from "./messages.ts";
import { validateServiceCidr } from "./networking/cidrs.ts";
import { validatePodStatus } from "./pod/status.ts";
import { validateResourceClaimUpdate } from "./resource/claims.ts";
import { validateTaint } from "./resource/device.ts";
import { attributeName, declaredAttributeName, declaredPoolName, uuid } from "./resource/names.ts";
import { declaredDriverName } from "./storage/csi-name.ts";
import { validateTemplateMeta } from "./template-meta.ts";
import { validateAutoscaler } from "./workloads/autoscaler.ts";
import { validateJobUpdate } from "./workloads/batch.ts";
import { validateStatefulSet, validateStatefulSetUpdate } from "./workloads/stateful.ts";

const AT = newPath("at");

/** What defaults give a container. */
const KEPT = { imagePullPolicy: "Always", terminationMessagePolicy: "File" };

function object(plain: unknown): JsonObject {
  return fromPlain(plain as never) as JsonObject;
}

test.each<[KubernetesVersion, string]>([
  ["1.33", "at: Required value: must be set"],
  ["1.34", "at: Required value"],
])("a condition without a reason in %s", (version, text) => {
  expect(asVersion(version, () => formatFieldError(required(AT, conditionNeeds())))).toBe(text);
});

test.each<[KubernetesVersion, number]>([
  ["1.32", 0],
  ["1.35", 0],
  ["1.36", 1],
])("addresses with leading zeros in %s", (version, count) => {
  const errors = asVersion(version, () => [...legacyIp("010.0.0.1", AT), ...legacyCidr("10.0.0.0/8", AT)]);
  expect(errors.length).toBe(count);
});

test("label keys are called qualified names up to 1.34", () => {
  expect(asVersion("1.34", () => checkQualifiedName("a/b/c"))[0]).toContain("a qualified name must consist of");
  expect(asVersion("1.35", () => checkQualifiedName("a/b/c"))[0]).toContain("a valid label key must consist of");
});

test.each<[KubernetesVersion, string[]]>([
  [
    "1.32",
    [
      'spec.externalIPs[0]: IP address was accepted, but will be invalid in a future Kubernetes release: ParseAddr("010.0.0.1"): IPv4 field has octet with leading zero',
    ],
  ],
  [
    "1.34",
    [
      'spec.externalIPs[0]: non-standard IP address "010.0.0.1" will be considered invalid in a future Kubernetes release: use "10.0.0.1"',
    ],
  ],
  [
    "1.36",
    [
      'spec.externalIPs[0]: non-standard IP address "010.0.0.1" is invalid: use "10.0.0.1"',
      "spec.externalIPs is deprecated and may no longer be implemented in some clusters",
    ],
  ],
])("warnings about addresses of services in %s", (version, warnings) => {
  const service = object({ spec: { type: "ClusterIP", clusterIP: "10.0.0.5", externalIPs: ["010.0.0.1"] } });
  expect(asVersion(version, () => serviceWarnings(service))).toEqual(warnings);
});

test.each<[KubernetesVersion, string]>([
  ["1.34", "at: Required value: the domain must not be empty"],
  ["1.35", 'at: Invalid value: "": the domain must not be empty'],
])("a device attribute without a domain in %s", (version, text) => {
  expect(asVersion(version, () => attributeName("/a", AT).map(formatFieldError))).toEqual([text]);
});

test.each<[KubernetesVersion, string]>([
  ["1.33", "must be greater than 0"],
  ["1.36", "must be set and greater than 0"],
])("an autoscaler without maxReplicas in %s", (version, text) => {
  const scaler = object({ spec: { scaleTargetRef: { kind: "Deployment", name: "d", apiVersion: "apps/v1" } } });
  expect(asVersion(version, () => validateAutoscaler(scaler).map(formatFieldError)).join()).toContain(text);
});

test("the core group is a target of autoscalers up to 1.33", () => {
  const scaler = object({
    spec: { maxReplicas: 1, scaleTargetRef: { kind: "Deployment", name: "d", apiVersion: "v1" } },
  });
  const errors = (version: KubernetesVersion): number => asVersion(version, () => validateAutoscaler(scaler)).length;
  expect([errors("1.33"), errors("1.34")]).toEqual([0, 1]);
});

test("names of services in stateful sets are validated since 1.33", () => {
  const set = object({ spec: { serviceName: "Bad_" } });
  const paths = (version: KubernetesVersion): string[] =>
    asVersion(version, () => validateStatefulSet(set).map(({ path }) => path.toString()));
  expect(paths("1.32")).not.toContain("spec.serviceName");
  expect(paths("1.33")).toContain("spec.serviceName");
});

test("declared rules of devices have texts of their own since 1.37", () => {
  const text = (version: KubernetesVersion, errors: () => readonly FieldError[]): string =>
    asVersion(version, () => formatFieldErrors(errors()));
  const upper = "3C9D1E8A-5A7E-4C39-9A44-0A3C6F1F8B11";
  expect(text("1.36", () => uuid(upper, AT))).toContain("uid must be in RFC 4122 normalized form");
  expect(text("1.37", () => uuid(upper, AT))).toContain("must be a lowercase UUID in 8-4-4-4-12 format");
  expect(text("1.36", () => declaredPoolName("Bad_", AT))).toContain('"Bad_": a lowercase RFC 1123 subdomain');
  expect(text("1.37", () => declaredPoolName("Bad_", AT))).toContain(
    '"Bad_": segment 0: a lowercase RFC 1123 subdomain',
  );
  expect(text("1.36", () => declaredAttributeName("/a", AT))).toContain("the domain must not be empty");
  expect(text("1.37", () => declaredAttributeName("/a", AT))).toContain("prefix must not be empty");
  expect(text("1.36", () => declaredDriverName("Bad_", AT))).toContain("a lowercase RFC 1123 subdomain");
  expect(text("1.37", () => declaredDriverName("Bad_", AT))).toContain("an RFC 1123 subdomain must consist of");
});

test.each<[KubernetesVersion, string]>([
  ["1.32", "'updateStrategy', 'persistentVolumeClaimRetentionPolicy'"],
  ["1.36", "'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy'"],
])("the fields of a stateful set that may change in %s", (version, text) => {
  const [set, old] = ["a", "b"].map((serviceName) => object({ spec: { serviceName } }));
  const errors = asVersion(version, () => validateStatefulSetUpdate(set ?? object({}), old ?? object({})));
  expect(errors.map(({ detail }) => detail).join()).toContain(text);
});

test("ranges of services are checked strictly in every version that has them", () => {
  const cidr = object({ spec: { cidrs: ["::ffff:10.78.0.0/120"] } });
  expect(asVersion("1.34", () => validateServiceCidr(cidr))).toHaveLength(1);
});

test("a template of a claim may have a creation time that is null", () => {
  expect(validateTemplateMeta(object({ creationTimestamp: null }), AT)).toEqual([]);
});

test.each<[KubernetesVersion, string]>([
  ["1.33", "2020-01-01 00:00:01.5 +0000 UTC"],
  ["1.34", "2020-01-01T00:00:01.500000Z"],
])("a time in a message of %s", (version, text) => {
  const shown = asVersion(version, () => timeValue("2020-01-01T00:00:01.500000Z"));
  expect(shown instanceof GoJson ? shown.text : shown).toBe(text);
});

test("a list of amounts is printed with its Go types up to 1.33", () => {
  const shown = asVersion("1.33", () => resourceList(object({ storage: "1Ki" })));
  expect(shown instanceof GoJson && shown.text).toBe(
    'core.ResourceList{"storage":resource.Quantity{i:resource.int64Amount{value:1024, scale:0}, d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:"1Ki", Format:"BinarySI"}}',
  );
});

test.each<[KubernetesVersion, object]>([
  ["1.34", { name: "d", capacity: { m: { value: "1" } } }],
  ["1.36", { name: "d", taints: [], capacity: { m: { value: "1", requestPolicy: {} } } }],
])("fields of device features in %s", (version, kept) => {
  const slice = object({
    spec: { devices: [{ name: "d", taints: [], capacity: { m: { value: "1", requestPolicy: {} } } }] },
  });
  asVersion(version, () => dropDisabledFields(slice, undefined, "resource.k8s.io/v1/ResourceSlice"));
  expect(slice).toEqual(object({ spec: { devices: [kept] } }));
});

test.each<[KubernetesVersion, string[]]>([
  ["1.36", ["spec.selector", "spec.template.metadata.labels", "spec.template.metadata.labels", "spec.selector"]],
  ["1.37", ["spec.template.metadata.labels", "spec.selector"]],
])("a changed selector of a Job in %s", (version, paths) => {
  const generated = "batch.kubernetes.io/controller-uid";
  const labels = { [generated]: "1", "controller-uid": "1", "batch.kubernetes.io/job-name": "a", "job-name": "a" };
  const job = (selected: object): JsonObject =>
    object({
      metadata: { name: "a", uid: "1" },
      spec: {
        selector: { matchLabels: { [generated]: "1", ...selected } },
        template: {
          metadata: { labels },
          spec: { restartPolicy: "Never", dnsPolicy: "Default", containers: [{ name: "a", image: "i", ...KEPT }] },
        },
      },
    });
  const found = asVersion(version, () => validateJobUpdate(job({ a: "b" }), job({})));
  expect(found.map(({ path }) => path.toString())).toEqual(paths);
});

const RUNNING = {
  spec: { containers: [{ name: "a", image: "i", resources: { requests: { "x.y/z": "1" } } }] },
  status: {
    resourceClaimStatuses: [{ name: "x", resourceClaimName: "A b" }],
    extendedResourceClaimStatus: {
      resourceClaimName: "c",
      requestMappings: [{ containerName: "a", resourceName: "x.y/z", requestName: "r" }],
    },
    containerStatuses: [
      {
        name: "a",
        user: { linux: { uid: 2147483648, gid: -1 } },
        allocatedResourcesStatus: [{ name: "claim:c/r" }, { name: "q" }],
      },
    ],
  },
};

// Recorded from v1.32.13, v1.34.11 and v1.37.0-rc.1.
test.each<[KubernetesVersion, string[]]>([
  [
    "1.32",
    [
      "status.resourceClaimStatuses[0].name: Invalid value: ",
      "status.containerStatuses[0].linux.uid: Invalid value: 2147483648: must be between 0 and 2147483647, inclusive",
      "status.containerStatuses[0].linux.gid: Invalid value: -1: must be between 0 and 2147483647, inclusive",
      "status.containerStatuses[0].allocatedResourcesStatus[0].name: Invalid value: claim:c/r: must match",
      "status.containerStatuses[0].allocatedResourcesStatus[1].name: Invalid value: q: must match",
    ],
  ],
  [
    "1.34",
    [
      "status.resourceClaimStatuses[0].name: Invalid value: ",
      "status.containerStatuses[0].user.linux.uid: Invalid value: 2147483648: must be between 0 and 2147483647, inclusive",
      "status.containerStatuses[0].user.linux.gid: Invalid value: -1: must be between 0 and 2147483647, inclusive",
      'status.containerStatuses[0].allocatedResourcesStatus[0].name: Invalid value: "claim:c/r": must match',
      'status.containerStatuses[0].allocatedResourcesStatus[1].name: Invalid value: "q": must match',
    ],
  ],
  [
    "1.37",
    [
      "status.resourceClaimStatuses[0].resourceClaimName: Invalid value: ",
      "status.containerStatuses[0].user.linux.gid: Invalid value: -1: must be between 0 and 2147483647, inclusive",
      'status.containerStatuses[0].allocatedResourcesStatus[1].name: Invalid value: "q": must match',
    ],
  ],
])("the users, claims and devices of a running pod in %s", (version, texts) => {
  const pod = object({ ...RUNNING, spec: { ...RUNNING.spec, resourceClaims: [{ name: "x" }] } });
  const errors = asVersion(version, () => validatePodStatus(pod, pod).map(formatFieldError));
  expect(errors.map((text, index) => text.slice(0, texts[index]?.length))).toEqual(texts);
});

test.each<[KubernetesVersion, number]>([
  ["1.34", 1],
  ["1.35", 0],
])("a taint of a device without effect in %s", (version, count) => {
  const taint = object({ key: "a", effect: "None" });
  expect(asVersion(version, () => validateTaint(taint, AT)).length).toBe(count);
});

test("a changed claim is validated again up to 1.34", () => {
  const claim = (name: string): JsonObject => object({ spec: { devices: { requests: [{ name }] } } });
  const errors = (version: KubernetesVersion): number =>
    asVersion(version, () => validateResourceClaimUpdate(claim("a"), claim("b")).length);
  expect(errors("1.34")).toBeGreaterThan(1);
  expect(errors("1.35")).toBe(1);
});

test.each([
  ["", "[]byte{}"],
  ["AQL/", "[]byte{0x1, 0x2, 0xff}"],
  [null, "[]byte(nil)"],
])("the bytes %s are printed in Go's syntax up to 1.33", (base64, text) => {
  const shown = asVersion("1.33", () =>
    bytesValue(base64, base64 === "AQL/" ? Uint8Array.of(1, 2, 255) : new Uint8Array()),
  );
  expect(shown instanceof GoJson && shown.text).toBe(text);
});
