import { expect, test } from "vitest";
import { type Client, DEFINITIONS, type Json, openClient } from "../app/app.testing.ts";
import { type CallWebhook, type WebhookRequest, WebhookUnreachable } from "./call-webhook.ts";

/** A webhook between `spec.host` (v1, stored) and `spec.hostname` (v1beta1). */
class Hook {
  readonly requests: (WebhookRequest & { readonly review: Json })[] = [];
  /** Changes an answer before it is sent. */
  spoil: (answer: Json) => unknown = (answer) => answer;
  code = 200;

  readonly call: CallWebhook = async (request) => {
    const review = JSON.parse(request.body);
    this.requests.push({ ...request, review });
    const { uid, objects, desiredAPIVersion } = review.request;
    const convertedObjects = objects.map((object: Json) => convert(object, desiredAPIVersion));
    const answer = {
      kind: "ConversionReview",
      apiVersion: review.apiVersion,
      response: { uid, result: { status: "Success" }, convertedObjects },
    };
    const spoilt = this.spoil(answer);
    const text = typeof spoilt === "string" ? spoilt : JSON.stringify(spoilt);
    return { code: this.code, contentType: "application/json", body: new TextEncoder().encode(text) };
  };

  /** The versions that were asked for since the last time. */
  asked(): string[] {
    return this.requests.splice(0).map(({ review }) => review.request.desiredAPIVersion.split("/")[1]);
  }
}

function convert(object: Json, apiVersion: string): Json {
  const { host, hostname, ...rest } = object.spec ?? {};
  const name = host ?? hostname;
  const spec = apiVersion.endsWith("/v1") ? { ...rest, host: name } : { ...rest, hostname: name };
  return { ...object, apiVersion, ...(object.spec && { spec }) };
}

const CLIENT_CONFIG = { url: "https://hooks.example.com/convert" };

function definition(clientConfig: Json = CLIENT_CONFIG, conversionReviewVersions = ["v1"]): Json {
  const version = (name: string, storage: boolean, field: string) => ({
    name,
    served: true,
    storage,
    subresources: { status: {} },
    schema: {
      openAPIV3Schema: {
        type: "object",
        properties: {
          spec: {
            type: "object",
            properties: { [field]: { type: "string" }, size: { type: "integer", default: 1 } },
          },
        },
      },
    },
  });
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "things.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "things", kind: "Thing" },
      conversion: { strategy: "Webhook", webhook: { conversionReviewVersions, clientConfig } },
      versions: [version("v1", true, "host"), version("v1beta1", false, "hostname")],
    },
  };
}

const V1 = "/apis/example.com/v1/namespaces/default/things";
const BETA = "/apis/example.com/v1beta1/namespaces/default/things";

const thing = (name: string, version: string, spec: Json): Json => ({
  apiVersion: `example.com/${version}`,
  kind: "Thing",
  metadata: { name, labels: { a: "b" } },
  spec,
});

async function open(hook: Hook, crd = definition(), services = new Map()): Promise<Client> {
  const client = await openClient({ callWebhook: hook.call, services });
  const made = await client.post(DEFINITIONS, crd);
  if (made.code !== 201) throw new Error(made.text);
  await client.app.settled();
  return client;
}

test("an object is stored in the storage version and returned in the requested one", async () => {
  const hook = new Hook();
  const client = await open(hook);
  const made = await client.post(BETA, thing("a", "v1beta1", { hostname: "h" }));
  expect([made.code, made.json.spec]).toEqual([201, { hostname: "h", size: 1 }]);
  expect(hook.asked()).toEqual(["v1", "v1beta1"]);
  expect((await client.get(`${V1}/a`)).json.spec).toEqual({ host: "h", size: 1 });
  expect(hook.asked()).toEqual([]);
  const shown = (await client.get(`${BETA}/a`)).json;
  expect([shown.apiVersion, shown.spec]).toEqual(["example.com/v1beta1", { hostname: "h", size: 1 }]);
  const stored = JSON.parse((await client.store.get("/registry/example.com/things/default/a"))?.value ?? "");
  expect([stored.apiVersion, stored.spec]).toEqual(["example.com/v1", { host: "h", size: 1 }]);
});

test("the webhook gets one object per review, in upstream's format", async () => {
  const hook = new Hook();
  const client = await open(hook);
  await client.post(V1, thing("a", "v1", { host: "h" }));
  await client.get(`${BETA}/a`);
  const [{ url, ca, review } = expect.fail("not called")] = hook.requests;
  expect([url, ca]).toEqual(["https://hooks.example.com/convert?timeout=30s", undefined]);
  expect(review).toMatchObject({
    kind: "ConversionReview",
    apiVersion: "apiextensions.k8s.io/v1",
    request: { desiredAPIVersion: "example.com/v1beta1", objects: [{ spec: { host: "h", size: 1 } }] },
  });
  expect(review.request.objects[0].metadata.resourceVersion).toBeUndefined();
});

test("updates, patches, status and apply are converted, and an unchanged object is not written", async () => {
  const hook = new Hook();
  const client = await open(hook);
  const made = (await client.post(BETA, thing("a", "v1beta1", { hostname: "h" }))).json;
  const same = await client.put(`${BETA}/a`, made);
  expect(same.json.metadata.resourceVersion).toBe(made.metadata.resourceVersion);
  const put = await client.put(`${BETA}/a`, { ...made, spec: { hostname: "i" } });
  expect([put.code, put.json.spec, put.json.metadata.generation]).toEqual([200, { hostname: "i", size: 1 }, 2]);
  await client.patch(`${BETA}/a`, { spec: { hostname: "j" } });
  expect((await client.get(`${V1}/a`)).json.spec.host).toBe("j");
  expect((await client.patch(`${BETA}/a/status`, {})).code).toBe(200);
  expect((await client.delete(`${BETA}/a`)).code).toBe(200);
});

test("field owners are distinguished across versions", async () => {
  const hook = new Hook();
  const client = await open(hook);
  const apply = (path: string, manager: string, object: Json, force = "false") =>
    client.send("PATCH", `${path}/a?fieldManager=${manager}&force=${force}`, {
      body: object,
      type: "application/apply-patch+yaml",
    });
  expect((await apply(BETA, "one", thing("a", "v1beta1", { hostname: "x" }))).code).toBe(201);
  const refused = await apply(V1, "two", thing("a", "v1", { host: "y" }));
  expect([refused.code, refused.json.message]).toEqual([
    409,
    'Apply failed with 1 conflict: conflict with "one": .spec.hostname',
  ]);
  const forced = await apply(V1, "two", thing("a", "v1", { host: "y" }), "true");
  expect(forced.json.metadata.managedFields.map((entry: Json) => [entry.manager, Object.keys(entry.fieldsV1)])).toEqual(
    [
      ["one", ["f:metadata"]],
      ["two", ["f:metadata", "f:spec"]],
    ],
  );
});

test("lists and watches are converted, in order", async () => {
  const hook = new Hook();
  const client = await open(hook);
  for (const name of ["a", "b", "c"]) await client.post(V1, thing(name, "v1", { host: name }));
  const list = (await client.get(`${BETA}?limit=2`)).json;
  expect(list.items.map((item: Json) => item.spec.hostname)).toEqual(["a", "b"]);
  const watch = await client.watch(`${BETA}?watch=true&resourceVersion=${list.metadata.resourceVersion}`);
  for (const name of ["d", "e"]) await client.post(V1, thing(name, "v1", { host: name }));
  await client.patch(`${V1}/d`, { spec: { host: "D" } });
  await client.delete(`${V1}/e`);
  const events = [await watch.next(), await watch.next(), await watch.next(), await watch.next()];
  expect(events.map(({ type, object }) => [type, object.apiVersion, object.spec.hostname])).toEqual([
    ["ADDED", "example.com/v1beta1", "d"],
    ["ADDED", "example.com/v1beta1", "e"],
    ["MODIFIED", "example.com/v1beta1", "D"],
    ["DELETED", "example.com/v1beta1", "e"],
  ]);
  hook.spoil = () => "";
  await client.post(V1, thing("f", "v1", { host: "f" }));
  const failed = await watch.next();
  expect([failed.type, failed.object.code]).toEqual(["ERROR", 500]);
  expect(await watch.next()).toBeUndefined();
});

test("policies that match another version see the object in that version", async () => {
  const hook = new Hook();
  const client = await open(hook);
  const policies = "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies";
  const rule = { apiGroups: ["example.com"], apiVersions: ["v1"], resources: ["things"], operations: ["*"] };
  const policy = {
    metadata: { name: "p" },
    spec: {
      matchConstraints: { resourceRules: [rule] },
      validations: [{ expression: "object.spec.host != 'bad'", message: "not this one" }],
    },
  };
  const made = await client.post(policies, policy);
  expect(made.code).toBe(201);
  const binding = { metadata: { name: "p" }, spec: { policyName: "p", validationActions: ["Deny"] } };
  expect((await client.post(`${policies.replace("policies", "policybindings")}`, binding)).code).toBe(201);
  await client.app.settled();
  expect((await client.post(BETA, thing("a", "v1beta1", { hostname: "good" }))).code).toBe(201);
  const refused = await client.post(BETA, thing("b", "v1beta1", { hostname: "bad" }));
  expect([refused.code, refused.json.message]).toEqual([422, expect.stringContaining("not this one")]);
});

test("a CRD can be deleted although its webhook is unreachable", async () => {
  const hook = new Hook();
  const client = await open(hook);
  await client.post(V1, thing("a", "v1", { host: "h" }));
  hook.spoil = () => "";
  await client.delete(`${DEFINITIONS}/things.example.com`);
  await client.app.settled();
  expect((await client.get(`${DEFINITIONS}/things.example.com`)).code).toBe(404);
});

const PREFIX = "conversion webhook for example.com/v1, Kind=Thing";

// biome-ignore format: a table
test.each<{ name: string; spoil: (answer: Json) => unknown; code?: number; message: string }>([
  { name: "a refusal with a message", spoil: (a) => { a.response.result = { status: "Failure", message: "no" }; return a; }, message: `${PREFIX} failed: no` },
  { name: "a refusal without one", spoil: (a) => { a.response.result = { status: "Failure" }; return a; }, message: `${PREFIX} failed: response.result.status was 'Failure', not 'Success'` },
  { name: "no response", spoil: ({ response: _, ...a }) => a, message: `${PREFIX} failed: no response provided` },
  { name: "another kind", spoil: (a) => ({ ...a, kind: "Foo" }), message: `${PREFIX} failed: no kind "Foo" is registered for version "apiextensions.k8s.io/v1" in scheme "k8s.io/apiserver/pkg/util/webhook/client.go:71"` },
  { name: "no kind", spoil: ({ kind: _, ...a }) => a, message: `${PREFIX} failed: expected webhook response of apiextensions.k8s.io/v1, Kind=ConversionReview, got apiextensions.k8s.io/v1, Kind=` },
  { name: "another version", spoil: (a) => ({ ...a, apiVersion: "apiextensions.k8s.io/v1beta1" }), message: `${PREFIX} failed: converting (v1beta1.ConversionReview) to (v1.ConversionReview): unknown conversion` },
  { name: "a field of another type", spoil: (a) => { a.response.result = "x"; return a; }, message: `${PREFIX} failed: json: cannot unmarshal string into Go struct field ConversionResponse.response.result of type v1.Status` },
  { name: "nothing", spoil: () => "", message: `${PREFIX} failed: 0-length response with status code: 200 and content type: application/json` },
  { name: "no JSON", spoil: () => '{"kind":', message: `${PREFIX} failed: couldn't get version/kind; json parse error: unexpected end of JSON input` },
  { name: "too few objects", spoil: (a) => { a.response.convertedObjects = []; return a; }, message: `${PREFIX} returned 0 objects, expected 1` },
  { name: "too many objects", spoil: (a) => { a.response.convertedObjects.push({}); return a; }, message: `${PREFIX} returned 2 objects, expected 1` },
  { name: "an object of another version", spoil: (a) => { a.response.convertedObjects[0].apiVersion = "example.com/v2"; return a; }, message: `${PREFIX} returned invalid object at index 0: invalid groupVersion (expected example.com/v1beta1, received example.com/v2)` },
  { name: "an object of another kind", spoil: (a) => { a.response.convertedObjects[0].kind = "Other"; return a; }, message: `${PREFIX} returned invalid object at index 0: invalid kind (expected Thing, received Other)` },
  { name: "an object of another name", spoil: (a) => { a.response.convertedObjects[0].metadata.name = "z"; return a; }, message: `${PREFIX} returned invalid object: must have the same name: a != z` },
  { name: "an object without metadata", spoil: (a) => { delete a.response.convertedObjects[0].metadata; return a; }, message: `${PREFIX} returned invalid object: must have the same name: a != ` },
  { name: "labels that are no map", spoil: (a) => { a.response.convertedObjects[0].metadata.labels = "x"; return a; }, message: `${PREFIX} returned invalid metadata: invalid metadata.labels of type string in converted object` },
  { name: "a label that is no text", spoil: (a) => { a.response.convertedObjects[0].metadata.labels = { a: 1 }; return a; }, message: `${PREFIX} returned invalid metadata: metadata.labels[a] must be a string, but is int64 in converted object` },
  { name: "null for an object", spoil: (a) => { a.response.convertedObjects = [null]; return a; }, message: "unexpected end of JSON input" },
  { name: "a text for an object", spoil: (a) => { a.response.convertedObjects = ["x"]; return a; }, message: "json: cannot unmarshal string into Go value of type map[string]interface {}" },
  { name: "an error of the server", spoil: () => "oh", code: 500, message: `${PREFIX} failed: an error on the server ("unknown") has prevented the request from succeeding` },
  { name: "a Status", spoil: () => ({ kind: "Status", apiVersion: "v1", status: "Failure", message: "my own" }), code: 500, message: `${PREFIX} failed: my own` },
  { name: "not found", spoil: () => "", code: 404, message: `${PREFIX} failed: the server could not find the requested resource` },
])("a response that is $name is refused", async ({ spoil, code = 200, message }) => {
  const hook = new Hook();
  const client = await open(hook);
  await client.post(V1, thing("a", "v1", { host: "h" }));
  Object.assign(hook, { spoil, code });
  const { code: status, json } = await client.get(`${BETA}/a`);
  expect([status, json.message, json.reason]).toEqual([500, message, undefined]);
});

test("labels and annotations may change, nothing else of the metadata does", async () => {
  const hook = new Hook();
  const client = await open(hook);
  await client.post(V1, thing("a", "v1", { host: "h" }));
  hook.spoil = (answer) => {
    Object.assign(answer.response.convertedObjects[0].metadata, {
      labels: { c: "d" },
      annotations: { e: "f" },
      generation: 99,
      finalizers: ["x/y"],
    });
    return answer;
  };
  const { metadata } = (await client.get(`${BETA}/a`)).json;
  expect(metadata).toMatchObject({ labels: { c: "d" }, annotations: { e: "f" }, generation: 1 });
  expect(metadata.finalizers).toBeUndefined();
});

test("a v1beta1 response needs neither a kind nor the uid of the request", async () => {
  const hook = new Hook();
  const client = await open(hook, definition(CLIENT_CONFIG, ["v9", "v1beta1", "v1"]));
  await client.post(V1, thing("a", "v1", { host: "h" }));
  hook.spoil = ({ kind: _, ...answer }) => ({ ...answer, response: { ...answer.response, uid: "other" } });
  expect((await client.get(`${BETA}/a`)).json.spec.hostname).toBe("h");
  expect(hook.requests[0]?.review.apiVersion).toBe("apiextensions.k8s.io/v1beta1");
});

test("a service leads to its configured address, or to its external name", async () => {
  const hook = new Hook();
  const service = { name: "hook", namespace: "default", path: "/x", port: 8443 };
  const configured = await open(hook, definition({ service }), new Map([["hook.default", { host: "h", port: 1 }]]));
  await configured.post(V1, thing("a", "v1", { host: "h" }));
  await configured.get(`${BETA}/a`);
  expect(hook.requests[0]).toMatchObject({
    url: "https://hook.default.svc:8443/x?timeout=30s",
    connect: { host: "h", port: 1 },
  });
  const client = await open(hook, definition({ service }));
  await client.post(V1, thing("a", "v1", { host: "h" }));
  const unknown = await client.get(`${BETA}/a`);
  expect(unknown.json.message).toBe(
    `${PREFIX} failed: Post "https://hook.default.svc:8443/x?timeout=30s": service "hook" not found`,
  );
  const external = { metadata: { name: "hook" }, spec: { type: "ExternalName", externalName: "example.org" } };
  expect((await client.post("/api/v1/namespaces/default/services", external)).code).toBe(201);
  hook.requests.length = 0;
  expect((await client.get(`${BETA}/a`)).code).toBe(200);
  expect(hook.requests[0]?.connect).toEqual({ host: "example.org", port: 8443 });
});

test("an unreachable webhook is reported and counted", async () => {
  const hook = new Hook();
  const client = await open(hook);
  await client.post(V1, thing("a", "v1", { host: "h" }));
  hook.spoil = () => {
    throw new WebhookUnreachable("dial tcp 10.0.0.1:443: connect: connection refused");
  };
  const { json } = await client.get(`${BETA}/a`);
  expect(json.message).toBe(
    `${PREFIX} failed: Post "https://hooks.example.com/convert?timeout=30s": dial tcp 10.0.0.1:443: connect: connection refused`,
  );
  expect((await client.get("/metrics")).text).toContain(
    'apiserver_conversion_webhook_request_total{failure_type="conversion_webhook_call_failure",result="failure"} 1',
  );
});

test("waiting for a slow conversion after a called admission webhook does not count as work", async () => {
  const hook = new Hook();
  const admitted: string[] = [];
  const callWebhook: CallWebhook = async (sent) => {
    const review = JSON.parse(sent.body);
    if (review.kind === "ConversionReview") {
      await new Promise((resolve) => setTimeout(resolve, 1_200));
      return hook.call(sent);
    }
    admitted.push(review.request.kind.version);
    const answer = { ...review, response: { uid: review.request.uid, allowed: true } };
    return { code: 200, contentType: "application/json", body: new TextEncoder().encode(JSON.stringify(answer)) };
  };
  const heavyWorker = { perform: () => Promise.reject(new Error("unused")), metrics: async () => undefined };
  const client = await openClient({ callWebhook, heavyWorker });
  await client.post(DEFINITIONS, definition());
  await client.app.settled();
  const admission = "/apis/admissionregistration.k8s.io/v1";
  const rules = [{ apiGroups: ["example.com"], apiVersions: ["v1beta1"], operations: ["*"], resources: ["things"] }];
  const webhooks = [
    {
      name: "a.b.c",
      clientConfig: { url: "https://hooks.example.com/admit" },
      rules,
      admissionReviewVersions: ["v1"],
      sideEffects: "None",
      matchConditions: [{ name: "all", expression: "object.kind == 'Thing'" }],
    },
  ];
  for (const kind of ["Mutating", "Validating"]) {
    const made = await client.post(`${admission}/${kind.toLowerCase()}webhookconfigurations`, {
      metadata: { name: "c" },
      webhooks,
    });
    expect(made.code).toBe(201);
  }
  await client.post(`${admission}/validatingadmissionpolicies`, {
    metadata: { name: "p" },
    spec: { matchConstraints: { resourceRules: rules }, validations: [{ expression: "object.spec.hostname == 'h'" }] },
  });
  await client.post(`${admission}/validatingadmissionpolicybindings`, {
    metadata: { name: "p" },
    spec: { policyName: "p", validationActions: ["Deny"] },
  });
  const made = await client.post(V1, thing("slow", "v1", { host: "h" }));
  expect([made.code, made.json.message]).toEqual([201, undefined]);
  expect(admitted).toEqual(["v1beta1", "v1beta1"]);
}, 30_000);
