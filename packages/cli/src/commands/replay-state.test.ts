/** What a write met is seldom in its event: other versions of a kind, deletions that had begun, what the server fills in. */
import { describe, expect, test } from "vitest";
import { type EventParts, event, type Line, lines, map, time } from "./replay.testing.ts";

interface PolicyParts {
  readonly group?: string;
  readonly resources: readonly string[];
  readonly operations?: readonly string[];
  readonly versions?: readonly string[];
  readonly binding?: object;
}

function denies(name: string, expression: string, parts: PolicyParts): object[] {
  const { group = "", resources, operations = ["*"], versions = ["*"], binding = {} } = parts;
  const apiVersion = "admissionregistration.k8s.io/v1";
  const rule = { apiGroups: [group], apiVersions: versions, operations, resources };
  const spec = { matchConstraints: { resourceRules: [rule] }, validations: [{ expression }] };
  return [
    { apiVersion, kind: "ValidatingAdmissionPolicy", metadata: { name }, spec },
    {
      apiVersion,
      kind: "ValidatingAdmissionPolicyBinding",
      metadata: { name },
      spec: { policyName: name, validationActions: ["Deny"], ...binding },
    },
  ];
}

async function decided(events: readonly EventParts[], objects: readonly object[]): Promise<Line[]> {
  const log = events.map(event).join("\n");
  const given = JSON.stringify({ apiVersion: "v1", kind: "List", items: objects });
  return lines(["@/audit.log", "-p", "@/given.json"], { "audit.log": log, "given.json": given });
}

const TEAM = { apiVersion: "v1", kind: "Namespace", metadata: { name: "team" } };
const text = { type: "string" };

/** Objects are stored in v1beta1, which does not have the grade. */
const TOOLS = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "tools.example.com" },
  spec: {
    group: "example.com",
    scope: "Namespaced",
    names: { plural: "tools", singular: "tool", kind: "Tool", listKind: "ToolList" },
    versions: ["v1beta1", "v1"].map((name) => ({
      name,
      served: true,
      storage: name === "v1beta1",
      schema: {
        openAPIV3Schema: {
          type: "object",
          properties: {
            spec: {
              type: "object",
              properties: { mode: text, ...(name === "v1" && { grade: { type: "integer", default: 3 } }) },
            },
          },
        },
      },
    })),
  },
};

const tool = (version: string, spec: object, rest: object = {}): object => ({
  apiVersion: `example.com/${version}`,
  kind: "Tool",
  metadata: { name: "t", namespace: "team", ...rest },
  spec,
});
const ofTool = (version: string): object => ({
  resource: "tools",
  name: "t",
  apiGroup: "example.com",
  apiVersion: version,
});

describe("a kind with several versions", () => {
  const policy = denies("grade", "object.spec.grade == 3", {
    group: "example.com",
    resources: ["tools"],
    versions: ["v1"],
  });

  test("is decided without its definition only where other versions do not matter", async () => {
    const create = { id: "a", level: "Request", ref: ofTool("v1beta1"), request: tool("v1beta1", { mode: "x" }) };
    const all = denies("mode", "object.spec.mode == 'y'", { group: "example.com", resources: ["tools"] });
    expect(await decided([create], [TEAM, ...all])).toMatchObject([{ decision: "denied", denied: ["mode"] }]);
    const why = "grade: it is about another version, and the definition of the kind is not known";
    expect(await decided([create], [TEAM, ...policy])).toEqual([{ auditID: "a", decision: "unknown", why }]);
  });

  test("is not known after a change of its definition that the log does not show", async () => {
    const ref = { resource: "customresourcedefinitions", name: "tools.example.com", apiGroup: "apiextensions.k8s.io" };
    const change = { id: "a", level: "Metadata", verb: "patch", ref };
    const create = { id: "b", at: 20, ref: ofTool("v1beta1"), request: tool("v1beta1", { mode: "x" }) };
    const [, second] = await decided([change, create], [TEAM, TOOLS, ...policy]);
    expect(second).toMatchObject({ auditID: "b", decision: "unknown" });
  });

  test("is not read from an answer that lost fields in storage", async () => {
    const stored = tool("v1", {}, { uid: "u", resourceVersion: "1" });
    const create = { id: "a", ref: ofTool("v1"), request: tool("v1", { grade: 3 }), response: stored };
    expect(await decided([create], [TEAM, TOOLS, ...policy])).toEqual([{ auditID: "a", decision: "allowed" }]);
  });

  test("has an old object without the fields that storage does not have", async () => {
    const create = { id: "a", level: "Request", ref: ofTool("v1"), request: tool("v1", { grade: 3 }) };
    const patch = {
      id: "b",
      level: "Request",
      verb: "patch",
      at: 20,
      ref: ofTool("v1"),
      request: { spec: { mode: "x" } },
    };
    const keeps = denies("keeps", "has(oldObject.spec.grade)", {
      group: "example.com",
      resources: ["tools"],
      operations: ["UPDATE"],
    });
    const [, second] = await decided([create, patch], [TEAM, TOOLS, ...keeps]);
    expect(second).toMatchObject({ auditID: "b", decision: "denied", denied: ["keeps"] });
  });
});

const pod = (rest: object = {}, spec: object = {}): object => ({
  kind: "Pod",
  apiVersion: "v1",
  metadata: { name: "p", namespace: "team", uid: "u", resourceVersion: "1", ...rest },
  spec: { containers: [{ name: "main", image: "a:1" }], ...spec },
});
const ofPod = { resource: "pods", name: "p" };

describe("what the server fills in", () => {
  test("includes the limits of the namespace, where the request is refused", async () => {
    const range = {
      apiVersion: "v1",
      kind: "LimitRange",
      metadata: { name: "defaults", namespace: "team" },
      spec: { limits: [{ type: "Container", default: { cpu: "2" }, defaultRequest: { cpu: "1" } }] },
    };
    const message = `pods "p" is forbidden: ValidatingAdmissionPolicy 'other' with binding 'other' denied request: no`;
    const refused = {
      id: "a",
      code: 422,
      message,
      ref: ofPod,
      request: pod({ uid: undefined, resourceVersion: undefined }),
    };
    const limits = denies("limits", "object.spec.containers.all(c, has(c.resources.limits))", { resources: ["pods"] });
    expect(await decided([refused], [TEAM, range, ...limits])).toEqual([{ auditID: "a", decision: "allowed" }]);
  });
});

describe("a deletion that has begun", () => {
  const nobody = denies("nobody", "false", { resources: ["pods", "configmaps"], operations: ["DELETE"] });
  const marked = pod(
    { resourceVersion: "2", deletionTimestamp: time(40).replace(/\.\d+Z/, "Z"), deletionGracePeriodSeconds: 30 },
    { nodeName: "n" },
  );
  const patched = { id: "a", verb: "patch", at: 11, ref: ofPod, request: {}, response: marked };

  test("is not admitted again", async () => {
    const again = { id: "b", verb: "delete", at: 20, ref: ofPod, response: marked };
    expect((await decided([patched, again], [TEAM, ...nobody]))[1]).toEqual({ auditID: "b", decision: "allowed" });
  });

  test("is seen by the time in the answer, if the pod is not known", async () => {
    const again = { id: "b", verb: "delete", at: 20, ref: ofPod, response: marked };
    const first = { id: "b", verb: "delete", at: 10.05, ref: ofPod, response: marked };
    expect(await decided([again], [TEAM, ...nobody])).toEqual([{ auditID: "b", decision: "allowed" }]);
    expect(await decided([first], [TEAM, ...nobody])).toMatchObject([{ decision: "denied" }]);
  });

  test("is not admitted again with a collection", async () => {
    const items = { kind: "PodList", apiVersion: "v1", metadata: {}, items: [marked] };
    const all = { id: "b", verb: "deletecollection", ref: { resource: "pods", name: "" }, response: items };
    expect(await decided([{ ...all, at: 20 }], [TEAM, ...nobody])).toEqual([{ auditID: "b", decision: "allowed" }]);
    expect(await decided([{ ...all, at: 10.05 }], [TEAM, ...nobody])).toMatchObject([{ decision: "denied" }]);
  });

  test("is admitted again with a shorter period", async () => {
    const sooner = { id: "b", verb: "delete", at: 20, ref: ofPod, query: "?gracePeriodSeconds=1", response: marked };
    expect((await decided([patched, sooner], [TEAM, ...nobody]))[1]).toMatchObject({ denied: ["nobody"] });
  });

  test("leaves a namespace there until its finalizers are gone", async () => {
    const namespace = {
      kind: "Namespace",
      apiVersion: "v1",
      metadata: { name: "team", uid: "n", resourceVersion: "5", labels: { env: "dev" }, deletionTimestamp: time(10) },
      spec: { finalizers: ["kubernetes"] },
      status: { phase: "Terminating" },
    };
    const selector = { matchResources: { namespaceSelector: { matchLabels: { env: "prod" } } } };
    const policy = denies("prod", "false", { resources: ["configmaps"], binding: selector });
    const ends = {
      id: "a",
      verb: "delete",
      ref: { resource: "namespaces", name: "team", namespace: "team" },
      response: namespace,
    };
    const removal = {
      id: "b",
      verb: "delete",
      at: 20,
      response: { kind: "Status", apiVersion: "v1", status: "Success" },
    };
    expect((await decided([ends, removal], [TEAM, ...policy]))[1]).toEqual({ auditID: "b", decision: "allowed" });
  });
});

describe("a request", () => {
  test("is not taken for a read because its object names a verb", async () => {
    const review = {
      kind: "SelfSubjectAccessReview",
      apiVersion: "authorization.k8s.io/v1",
      spec: { resourceAttributes: { verb: "get", resource: "pods" } },
    };
    const ref = { resource: "selfsubjectaccessreviews", apiGroup: "authorization.k8s.io", namespace: "", name: "" };
    const found = await decided([{ id: "a", ref, request: review }], [TEAM]);
    expect(found).toEqual([{ auditID: "a", decision: "allowed" }]);
  });

  test("to bind a pod that is missing came as far as the policies", async () => {
    const binding = {
      kind: "Binding",
      apiVersion: "v1",
      metadata: { name: "p", namespace: "team" },
      target: { name: "n" },
    };
    const ref = { resource: "bindings", name: "p" };
    const refused = { id: "a", code: 404, message: 'pods "p" not found', ref, request: binding };
    const policy = denies("nodes", "object.target.name != 'n'", { resources: ["bindings"] });
    expect(await decided([refused], [TEAM, ...policy])).toMatchObject([{ decision: "denied", denied: ["nodes"] }]);
  });

  test("has its options in the query, if a deletion has no body", async () => {
    const policy = denies("slow", "request.options.?gracePeriodSeconds.orValue(0) != 7", { resources: ["configmaps"] });
    const removal = { id: "a", verb: "delete", query: "?gracePeriodSeconds=7" };
    expect(await decided([removal], [TEAM, ...policy])).toMatchObject([{ decision: "denied", denied: ["slow"] }]);
  });

  test("finds the object of a file although its uid is not known", async () => {
    const given = {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "m", namespace: "team" },
      data: { tier: "1" },
    };
    const stored = {
      ...given,
      metadata: { ...given.metadata, uid: "real", resourceVersion: "7" },
      data: { tier: "2" },
    };
    const keep = denies("keep", "object.data.tier == oldObject.data.tier", { resources: ["configmaps"] });
    const patch = { id: "a", verb: "patch", request: { data: { tier: "2" } }, response: stored };
    expect(await decided([patch], [TEAM, given, ...keep])).toMatchObject([{ decision: "denied", denied: ["keep"] }]);
  });

  test("that applies and is refused may be about an object that does not exist", async () => {
    const body = {
      kind: "ConfigMap",
      apiVersion: "v1",
      metadata: { name: "m", namespace: "team" },
      data: { tier: "1" },
    };
    const message = `configmaps "m" is forbidden: ValidatingAdmissionPolicy 'other' with binding 'other' denied request: no`;
    const apply = { id: "a", verb: "patch", code: 422, message, query: "?fieldManager=x", request: body };
    const policy = denies("new", "object.data.tier != '1'", { resources: ["configmaps"], operations: ["CREATE"] });
    expect(await decided([apply], [TEAM, ...policy])).toMatchObject([{ decision: "unknown" }]);
  });
});

const LABELLED = denies("labelled", "has(object.metadata.labels)", {
  resources: ["configmaps"],
  operations: ["CREATE"],
});
const hooked = (mutated: boolean): string => JSON.stringify({ configuration: "c", webhook: "w.example.com", mutated });

async function decidedWith(annotations: object, parts: Partial<EventParts>): Promise<Line[]> {
  const made = event({ id: "a", code: 403, request: map(1, {}), message: "exceeded quota: q", ...parts });
  const log = made.replace('"annotations":{', `"annotations":{${JSON.stringify(annotations).slice(1, -1)},`);
  const given = JSON.stringify({ apiVersion: "v1", kind: "List", items: LABELLED });
  return lines(["@/audit.log", "-p", "@/given.json"], { "audit.log": log, "given.json": given });
}

describe("a mutating webhook", () => {
  const key = "webhook.admission.k8s.io/round_0_index_0";

  test("changed the object as the annotations of the event show", async () => {
    const patch = [{ op: "add", path: "/metadata/labels", value: { a: "b" } }];
    const call = JSON.stringify({ configuration: "c", webhook: "w.example.com", patch, patchType: "JSONPatch" });
    const annotations = { [`mutation.${key}`]: hooked(true), [`patch.${key}`]: call };
    const [found] = await decidedWith(annotations, {});
    // The quota refused it, not the policy.
    expect(found).toMatchObject({ decision: "denied", code: 403 });
    expect((await decidedWith({ [`mutation.${key}`]: hooked(false) }, {}))[0]).toMatchObject({ denied: ["labelled"] });
  });

  test("leaves the object unknown if its patch is not in the log", async () => {
    const [found] = await decidedWith({ [`mutation.${key}`]: hooked(true) }, {});
    expect(found).toMatchObject({ decision: "unknown", why: expect.stringContaining("the patch of the webhook") });
  });

  test("that refuses a request keeps it from the policies", async () => {
    const message = 'admission webhook "w.example.com" denied the request: no';
    const [found] = await decidedWith({ [`mutation.${key}`]: hooked(false) }, { message });
    expect(found).toMatchObject({ decision: "denied", code: 403, message });
    expect(found?.denied).toBeUndefined();
    // A webhook that validates comes after them.
    expect((await decidedWith({ other: "x" }, { message }))[0]).toMatchObject({ denied: ["labelled"] });
  });
});

describe("the deletion of a collection", () => {
  const frozen = denies("frozen", "request.userInfo.username != 'alice'", {
    resources: ["configmaps"],
    operations: ["DELETE"],
  });
  const collection = { id: "d", verb: "deletecollection", level: "Request", at: 20, ref: { name: undefined } };

  test("is refused as a policy refuses each deletion, if there was one", async () => {
    const message =
      "configmaps \"Unknown\" is forbidden: ValidatingAdmissionPolicy 'frozen' with binding 'frozen' denied request: no";
    const refused = { ...collection, code: 422, message };
    expect(await decided([refused], [TEAM, ...frozen])).toMatchObject([{ decision: "denied", denied: ["frozen"] }]);
    expect(await decided([collection], [TEAM, ...frozen])).toMatchObject([{ decision: "unknown" }]);
  });

  test("by name leaves others as they were", async () => {
    const create = { id: "c", request: map(1, { a: "b" }), response: map(1, { a: "b" }) };
    const byName = { ...collection, query: "?fieldSelector=metadata.name%3Dn" };
    const remove = { id: "r", verb: "delete", level: "Metadata", at: 30 };
    const kept = denies("kept", "oldObject.data.a == 'c'", { resources: ["configmaps"], operations: ["DELETE"] });
    const found = await decided([create, byName, remove], [TEAM, ...kept]);
    expect(found.at(-1)).toMatchObject({ auditID: "r", decision: "denied", denied: ["kept"] });
  });

  test.each([
    ["app=web", "ok"],
    ["app in (web,api)", "ok"],
    ["app", "ok"],
    ["!gone,size>2", "ok"],
    ["app!=api", "ok"],
    ["app=api", "kept"],
    ["size=30", "kept"],
    ["gone", "kept"],
  ])("by the labels %s deletes what has them", async (selector, expected) => {
    const object = map(1, { a: "b" }, { "example.com/app": "web", app: "web", size: "3" });
    const query = `?labelSelector=${encodeURIComponent(selector)}`;
    const reads = { id: "e", verb: "delete", level: "Metadata", at: 30 };
    const events = [{ id: "c", request: object, response: object }, { ...collection, query }, reads];
    const kept = denies("kept", "oldObject.data.a == 'c'", { resources: ["configmaps"], operations: ["DELETE"] });
    const found = await decided(events, [TEAM, ...kept]);
    // What was deleted before has no content that the policy could be about.
    expect(found.at(-1)?.denied ?? ["ok"]).toEqual([expected]);
  });
});

test("a mutating policy that both sets have ends when the log deletes it", async () => {
  const apiVersion = "admissionregistration.k8s.io/v1";
  const ref = (name: string) => ({
    resource: "mutatingadmissionpolicybindings",
    namespace: undefined,
    name,
    apiGroup: "admissionregistration.k8s.io",
  });
  const rule = { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["configmaps"] };
  const expression = "Object{metadata: Object.metadata{labels: {'a': 'b'}}}";
  const labels = [
    {
      apiVersion,
      kind: "MutatingAdmissionPolicy",
      metadata: { name: "labels" },
      spec: {
        reinvocationPolicy: "Never",
        matchConstraints: { resourceRules: [rule] },
        mutations: [{ patchType: "ApplyConfiguration", applyConfiguration: { expression } }],
      },
    },
    {
      apiVersion,
      kind: "MutatingAdmissionPolicyBinding",
      metadata: { name: "labels" },
      spec: { policyName: "labels" },
    },
  ];
  const events = [
    { id: "a", level: "Request", at: 10, code: 403, message: "exceeded quota: q", request: map(1, {}) },
    {
      id: "b",
      verb: "delete",
      at: 20,
      ref: ref("labels"),
      response: { kind: "Status", apiVersion: "v1", metadata: {} },
    },
    { id: "c", level: "Request", at: 30, code: 403, message: "exceeded quota: q", request: map(1, {}) },
  ];
  const files = {
    "audit.log": events.map(event).join("\n"),
    "given.json": JSON.stringify({ apiVersion: "v1", kind: "List", items: [TEAM, ...LABELLED, ...labels] }),
  };
  const found = await lines(["@/audit.log", "-p", "@/given.json", "--against", "@/given.json"], files);
  expect(found.map(({ auditID, denied }) => [auditID, denied])).toEqual([
    ["a", undefined],
    ["b", undefined],
    ["c", ["labelled"]],
  ]);
});
