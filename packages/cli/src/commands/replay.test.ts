import { writeFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { scratchFolder } from "@portcullis/server/node/scratch.testing";
import { describe, expect, test } from "vitest";
import { runCommand, WIDGET_CRD } from "./commands.testing.ts";
import { created, event, lines, map } from "./replay.testing.ts";
import { replay } from "./replay.ts";

const POLICY = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: owner}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [configmaps]}]
  validations:
  - expression: has(object.metadata.labels) && 'owner' in object.metadata.labels
    message: needs an owner
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: owner}
spec: {policyName: owner, validationActions: [Deny]}
---
apiVersion: v1
kind: Namespace
metadata: {name: team}
`;

const KEEP = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: keep}
spec:
  matchConstraints:
    resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [UPDATE], resources: [configmaps]}]
  validations:
  - expression: object.data.tier == oldObject.data.tier
    message: the tier stays
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: keep}
spec: {policyName: keep, validationActions: [Deny]}
`;

const byPolicy = ["@/audit.log", "-p", "@/p.yaml"];

describe("replay", () => {
  test("says whom a policy hits, how often, when, and with what", async () => {
    const log = [created("a"), created("b", { at: 20, user: "bob" }), created("c", { at: 30, ref: { name: "n" } })];
    const result = await runCommand(replay, byPolicy, { "audit.log": log.join("\n"), "p.yaml": POLICY });
    expect(result.code).toBe(1);
    expect(
      result.stdout,
    ).toBe(`3 writes, from 2026-09-21T14:13:30.000Z to 2026-09-21T14:13:50.000Z: 0 allowed, 3 denied, 0 unknown
compared with what happened: 3 newly denied, 0 newly allowed

owner: denies 3 (3 newly), from 2026-09-21T14:13:30.000Z to 2026-09-21T14:13:50.000Z
  users       alice 2, bob 1
  namespaces  team 3
  clients     kubectl/v1.36.0 3
  message     configmaps "m" is forbidden: ValidatingAdmissionPolicy 'owner' with binding 'owner' denied request: needs an owner
  example     CREATE configmaps m by alice (a)
    object:
      kind: ConfigMap
      apiVersion: v1
      metadata:
        name: m
        namespace: team
`);
  });

  test("writes one line per write, with the documented members only", async () => {
    const refusal = { code: 409, message: 'configmaps "m" already exists' };
    const log = [created("a"), event({ id: "b", level: "Metadata" }), created("c", refusal)];
    const found = await lines(byPolicy, { "audit.log": log.join("\n"), "p.yaml": POLICY });
    const message =
      "configmaps \"m\" is forbidden: ValidatingAdmissionPolicy 'owner' with binding 'owner' denied request: needs an owner";
    expect(found).toEqual([
      { auditID: "a", decision: "denied", code: 422, message, denied: ["owner"] },
      { auditID: "b", decision: "unknown", why: "owner: the event has no requestObject" },
      { auditID: "c", decision: "denied", ...refusal, why: "refused before admission, as recorded" },
    ]);
  });

  test("a policy that does not need what is missing is evaluated", async () => {
    const labelled = map(5, { tier: "2" }, { owner: "x" });
    const log = event({ id: "a", verb: "update", request: labelled, response: labelled });
    expect(await lines(byPolicy, { "audit.log": log, "p.yaml": POLICY })).toEqual([
      { auditID: "a", decision: "allowed" },
    ]);
    const [other] = await lines(byPolicy, { "audit.log": log, "p.yaml": KEEP });
    expect(other).toEqual({ auditID: "a", decision: "unknown", why: "keep: the log has no earlier version of m" });
  });

  test("old objects come from earlier answers, in the order of resourceVersions", async () => {
    const patch = (id: string, tier: string, version: number, at: number): string =>
      event({ id, verb: "patch", at, from: 10.5, request: { data: { tier } }, response: map(version, { tier }) });
    // The second patch ends before the first, and the lines are in no order at all.
    const log = [patch("second", "1", 3, 11), patch("first", "1", 2, 12), created("create")];
    const found = await lines(byPolicy, { "audit.log": log.join("\n"), "p.yaml": KEEP });
    expect(found.map(({ auditID, decision }) => [auditID, decision])).toEqual([
      ["create", "allowed"],
      ["second", "allowed"],
      ["first", "allowed"],
    ]);
  });

  test("a refused patch is applied to the object that it found", async () => {
    const message = "configmaps \"m\" is forbidden: ValidatingAdmissionPolicy 'x' with binding 'x' denied request: no";
    const patch = (id: string, tier: string, at: number): string =>
      event({ id, verb: "patch", at, code: 422, message, request: { data: { tier } } });
    const log = [created("a"), patch("b", "2", 20), patch("c", "1", 30)];
    const found = await lines(byPolicy, { "audit.log": log.join("\n"), "p.yaml": KEEP });
    expect(found.map(({ decision }) => decision)).toEqual(["allowed", "denied", "allowed"]);
  });

  test("a write without an end leaves its object uncertain", async () => {
    const log = [
      created("a"),
      event({ id: "b", verb: "patch", stage: "RequestReceived", at: 20 }),
      event({ id: "c", verb: "patch", at: 30, request: { data: { tier: "1" } }, response: map(4, { tier: "1" }) }),
    ];
    const found = await lines(byPolicy, { "audit.log": log.join("\n"), "p.yaml": KEEP });
    expect(found.slice(1)).toEqual([
      { auditID: "b", decision: "unknown", why: "the log has no end of the request" },
      { auditID: "c", decision: "unknown", why: "keep: a write of it has no end in the log" },
    ]);
  });

  test("a damaged line is reported with its place, and its write is unknown", async () => {
    const whole = created("b");
    const log = [created("a"), whole.slice(0, whole.length / 2), "nonsense", created("c", { at: 30 })];
    const files = { "audit.log": log.join("\n"), "p.yaml": POLICY };
    const { code, stdout, stderr } = await runCommand(
      replay,
      [...byPolicy, "-o", "jsonl", "-o", "text=/dev/null"],
      files,
    );
    expect(code).toBe(1);
    expect(stderr).toContain("audit.log:2: unexpected end of JSON input");
    expect(stderr).toContain("audit.log:3: ");
    expect(stdout).toContain('{"auditID":"b","decision":"unknown","why":"the line is cut"}');
    expect(stdout).toContain('{"auditID":"c","decision":"denied"');
  });

  test("strange events do not end the run", async () => {
    const scale = { kind: "Scale", apiVersion: "autoscaling/v1", metadata: { name: "d" }, spec: { replicas: -1 } };
    const place = { resource: "deployments", apiGroup: "apps", name: "d" };
    const deployment = {
      kind: "Deployment",
      apiVersion: "apps/v1",
      metadata: { name: "d", namespace: "team" },
      spec: 5,
    };
    const log = [
      event({ id: "a", ref: place, request: deployment, response: deployment }),
      event({
        id: "b",
        verb: "update",
        at: 20,
        ref: { ...place, subresource: "scale" },
        request: scale,
        response: scale,
      }),
      event({ id: "c", verb: "patch", at: 30, code: 422, message: "denied request: ", request: [7] }),
      created("d", { at: 40 }),
    ];
    const found = await lines(byPolicy, { "audit.log": log.join("\n"), "p.yaml": POLICY });
    expect(found.map(({ auditID, decision }) => [auditID, decision])).toEqual([
      ["a", "allowed"],
      ["b", "allowed"],
      ["c", "denied"],
      ["d", "denied"],
    ]);
  });

  test("rotated and packed logs are read in the order of time", async () => {
    const folder = scratchFolder();
    const later = event({ id: "b", verb: "patch", at: 20, request: {}, response: map(2, { tier: "1" }) });
    writeFileSync(path.join(folder, "audit.log"), later);
    writeFileSync(path.join(folder, "audit-1.log.gz"), gzipSync(created("a")));
    const args = [`${folder}/audit.log`, `${folder}/audit-1.log.gz`, "-p", "@/p.yaml"];
    const found = await lines(args, { "p.yaml": KEEP });
    expect(found.map(({ auditID, decision }) => [auditID, decision])).toEqual([
      ["a", "allowed"],
      ["b", "allowed"],
    ]);
  });

  test("an event that comes too late for what it found is unknown, and reported", async () => {
    const patch = (id: string, version: number, at: number): string =>
      event({ id, verb: "patch", at, request: { data: { a: id } }, response: map(version, { tier: "1" }) });
    const delayed = event({
      id: "late",
      verb: "patch",
      query: "?dryRun=All",
      at: 50,
      request: {},
      response: map(2, { tier: "1" }),
    });
    const files = {
      "audit.log": [created("a"), patch("b", 2, 100), patch("c", 3, 200), patch("d", 4, 300), delayed].join("\n"),
      "p.yaml": KEEP,
    };
    const args = [...byPolicy, "--window", "1", "-o", "jsonl"];
    const { stdout, stderr, code } = await runCommand(replay, args, files);
    expect(stdout.split("\n").find((line) => line.includes("late"))).toContain("out of order: raise --window");
    expect(stderr).toContain("1 events are too far out of order");
    expect(code).toBe(1);
    const sorted = await lines(byPolicy, files);
    expect(sorted.find(({ auditID }) => auditID === "late")?.decision).toBe("allowed");
  });

  test("a packed log that ends too soon is read as far as it goes", async () => {
    const folder = scratchFolder();
    const packed = gzipSync(Array.from({ length: 1500 }, (_, index) => created(`e${Math.sqrt(index)}`)).join("\n"));
    writeFileSync(path.join(folder, "audit.log.gz"), packed.subarray(0, packed.length - 500));
    const { code, stderr } = await runCommand(replay, [`${folder}/audit.log.gz`, "-p", "@/p.yaml"], {
      "p.yaml": POLICY,
    });
    expect(code).toBe(1);
    expect(stderr).toContain("unexpected end of file");
  });

  test("policies change as they did in the log, and are uncertain for a second", async () => {
    const binding = {
      kind: "ValidatingAdmissionPolicyBinding",
      apiVersion: "admissionregistration.k8s.io/v1",
      metadata: { name: "owner", resourceVersion: "9" },
      spec: { policyName: "owner", validationActions: ["Warn"] },
    };
    const place = {
      resource: "validatingadmissionpolicybindings",
      apiGroup: "admissionregistration.k8s.io",
      name: "owner",
    };
    const change = event({ id: "p", verb: "update", at: 20, ref: place, request: binding, response: binding });
    const log = [created("a"), change, created("b", { at: 20.5 }), created("c", { at: 25 })].join("\n");
    const found = await lines(byPolicy, { "audit.log": log, "p.yaml": POLICY });
    expect(found.map(({ auditID, decision }) => [auditID, decision])).toEqual([
      ["a", "denied"],
      ["p", "allowed"],
      ["b", "unknown"],
      ["c", "allowed"],
    ]);
    expect(found[2]?.why).toContain("changed less than a second before");
  });

  test("a kind that the log defines is known to the writes after it", async () => {
    const schema = { openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true } };
    const definition = {
      kind: "CustomResourceDefinition",
      apiVersion: "apiextensions.k8s.io/v1",
      metadata: { name: "widgets.example.com", resourceVersion: "1" },
      spec: {
        group: "example.com",
        scope: "Namespaced",
        names: { plural: "widgets", kind: "Widget" },
        versions: [{ name: "v1", served: true, storage: true, schema }],
      },
    };
    const crds = {
      resource: "customresourcedefinitions",
      apiGroup: "apiextensions.k8s.io",
      name: "widgets.example.com",
    };
    const widgets = { resource: "widgets", apiGroup: "example.com", name: "w" };
    const widget = { apiVersion: "example.com/v1", kind: "Widget", metadata: { name: "w" }, spec: { size: 1 } };
    const message = "widgets.example.com \"w\" is forbidden: ValidatingAdmissionPolicy 'x' denied request: no";
    const patch = { verb: "patch", ref: widgets, code: 422, message, request: { spec: { size: 9 } } };
    const log = [
      event({ id: "crd", ref: crds, request: definition, response: definition }),
      event({ id: "a", at: 20, ref: widgets, request: widget, response: widget }),
      event({ id: "b", at: 30, ...patch }),
    ];
    const policy = KEEP.replace('apiGroups: [""]', "apiGroups: [example.com]")
      .replace("configmaps", "widgets")
      .replaceAll("data.tier", "spec.size");
    const found = await lines(byPolicy, { "audit.log": log.join("\n"), "p.yaml": policy });
    expect(found.at(-1)).toMatchObject({ auditID: "b", decision: "denied", denied: ["keep"] });
  });

  test("an object that a refused deletion of a collection spared is as it was", async () => {
    const message = "configmaps \"Unknown\" is forbidden: ValidatingAdmissionPolicy 'x' denied request: no";
    const patch = { verb: "patch", request: { data: { tier: "2" } } };
    const log = [
      created("a"),
      event({ id: "b", verb: "deletecollection", at: 20, ref: { name: "" }, code: 422, message }),
      event({ id: "c", ...patch, at: 30, code: 422, message }),
    ];
    const found = await lines(byPolicy, { "audit.log": log.join("\n"), "p.yaml": KEEP });
    expect(found.at(-1)).toMatchObject({ auditID: "c", decision: "denied", denied: ["keep"] });
  });

  test("compares with other policies", async () => {
    const files = { "audit.log": created("a"), "new.yaml": POLICY, "old.yaml": KEEP };
    const { code, stdout } = await runCommand(
      replay,
      ["@/audit.log", "-p", "@/new.yaml", "--against", "@/old.yaml"],
      files,
    );
    expect(code).toBe(1);
    expect(stdout).toContain("compared with the other policies: 1 newly denied, 0 newly allowed");
    const same = await runCommand(replay, ["@/audit.log", "-p", "@/new.yaml", "--against", "@/new.yaml"], files);
    expect(same.code).toBe(0);
  });

  test("an unknown namespace is unknown only to policies that ask for it", async () => {
    const selective = POLICY.replace(
      "validationActions: [Deny]",
      "validationActions: [Deny], matchResources: {namespaceSelector: {matchLabels: {env: prod}}}",
    );
    const [found] = await lines(byPolicy, {
      "audit.log": created("a"),
      "p.yaml": selective.replace(/---\napiVersion: v1\nkind: Namespace(?:.|\n)*/, ""),
    });
    expect(found).toEqual({
      auditID: "a",
      decision: "unknown",
      why: "owner: the namespace team is not among the objects",
    });
    expect(await lines(byPolicy, { "audit.log": created("a"), "p.yaml": selective })).toEqual([
      { auditID: "a", decision: "allowed" },
    ]);
  });

  test("reads AdmissionReviews and exported objects", async () => {
    const request = {
      uid: "r",
      operation: "CREATE",
      name: "m",
      namespace: "team",
      userInfo: { username: "alice" },
      kind: { group: "", version: "v1", kind: "ConfigMap" },
      resource: { group: "", version: "v1", resource: "configmaps" },
      object: map(0, {}),
    };
    const review = { kind: "AdmissionReview", apiVersion: "admission.k8s.io/v1", request, response: { allowed: true } };
    const files = {
      "reviews.log": JSON.stringify(review),
      "export.json": JSON.stringify(map(1, {})),
      "p.yaml": POLICY,
    };
    const found = await lines(["@/reviews.log", "@/export.json", "-p", "@/p.yaml"], files);
    expect(found.map(({ auditID, decision, denied }) => [auditID, decision, denied])).toEqual([
      ["u", "denied", ["owner"]],
      ["r", "denied", ["owner"]],
    ]);
  });

  test("tries a Pod Security level and a definition", async () => {
    const pod = {
      kind: "Pod",
      apiVersion: "v1",
      metadata: { name: "p", namespace: "team", uid: "u", resourceVersion: "1" },
      spec: { hostPID: true, containers: [{ name: "a", image: "b" }] },
    };
    const log = event({ id: "a", ref: { resource: "pods", name: "p" }, request: pod, response: pod });
    const args = ["@/audit.log", "--objects", "@/p.yaml", "--pod-security", "baseline"];
    const [secured] = await lines(args, { "audit.log": log, "p.yaml": POLICY });
    expect(secured).toMatchObject({ decision: "denied", denied: ["PodSecurity"], code: 403 });

    const widget = {
      kind: "Widget",
      apiVersion: "example.com/v1",
      metadata: { name: "w", namespace: "team" },
      spec: { size: 9 },
    };
    const ref = { resource: "widgets", apiGroup: "example.com", name: "w" };
    const made = event({ id: "w", ref, request: widget, response: widget });
    const [defined] = await lines(["@/audit.log", "--crds", "@/crd.yaml"], { "audit.log": made, "crd.yaml": WIDGETS });
    expect(defined).toMatchObject({ decision: "denied", code: 422 });
  });

  test("objects that do not fit into memory are unknown, not missing", async () => {
    const large = { tier: "1", text: "x".repeat(700_000) };
    const log = Array.from({ length: 4 }, (_, index) => {
      const name = `m${index}`;
      const object = {
        ...map(index + 1, large),
        metadata: { name, namespace: "team", resourceVersion: `${index + 1}` },
      };
      return event({ id: name, at: 10 + index, ref: { name }, request: object, response: object });
    });
    const update = event({
      id: "u",
      verb: "patch",
      at: 30,
      ref: { name: "m0" },
      request: {},
      response: map(9, { tier: "1" }),
    });
    const files = { "audit.log": [...log, update].join("\n"), "p.yaml": KEEP };
    const limited = await lines([...byPolicy, "--memory", "1"], files);
    expect(limited.at(-1)?.decision).toBe("unknown");
    expect((await lines(byPolicy, files)).at(-1)?.decision).toBe("allowed");
  });

  test.each([
    { name: "no log", args: ["-p", "@/p.yaml"], problem: "replay needs at least one log" },
    { name: "an empty log", args: ["@/audit.log", "-p", "@/p.yaml"], problem: "no writes found" },
    { name: "a strange output", args: ["@/audit.log", "-o", "xml"], problem: "unknown `--output xml`" },
    {
      name: "a strange number",
      args: ["@/audit.log", "--memory", "none"],
      problem: "--memory must be a positive number",
    },
  ])("$name is a usage error", async ({ args, problem }) => {
    const run = runCommand(replay, args, { "audit.log": "", "p.yaml": POLICY });
    await expect(run).rejects.toThrow(problem);
  });
});

const WIDGETS = WIDGET_CRD.replace("maximum: 10", "maximum: 5");
