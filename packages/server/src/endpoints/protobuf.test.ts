import { encodeProtobuf } from "@portcullis/engine/internal/builtin/protobuf/envelope";
import { fromPlain } from "@portcullis/engine/internal/value/copy";
import { isObject } from "@portcullis/engine/internal/value/json";
import { expect, test } from "vitest";
import { type Client, openClient, openWithWidgets, WIDGETS } from "../app/app.testing.ts";

const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

function protobuf(data: object): Uint8Array<ArrayBuffer> {
  const json = fromPlain(data);
  const bytes = isObject(json) ? encodeProtobuf(json) : undefined;
  if (bytes === undefined) throw new Error("has no protobuf form");
  return new Uint8Array(bytes);
}

async function send({ app }: Client, method: string, path: string, body: Uint8Array<ArrayBuffer>): Promise<Response> {
  const headers = { authorization: "Bearer admin", "content-type": "application/vnd.kubernetes.protobuf" };
  return app.fetch(new Request(`http://test${path}`, { method, headers, body }));
}

test("objects of built-in kinds are accepted in protobuf", async () => {
  const api = await openWithWidgets();
  const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data: { k: "v" } };
  expect((await send(api, "POST", CONFIG_MAPS, protobuf(object))).status).toBe(201);
  expect((await api.get(`${CONFIG_MAPS}/a`)).json.data).toEqual({ k: "v" });
  const review = { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" };
  const answer = await send(api, "POST", "/apis/authentication.k8s.io/v1/selfsubjectreviews", protobuf(review));
  expect(await answer.json()).toMatchObject({ status: { userInfo: { username: "admin" } } });
});

test("a beta version that only an older server has is read and written in protobuf", async () => {
  const client = await openClient({ version: "1.33", servesResource: () => true });
  const path = "/apis/admissionregistration.k8s.io/v1beta1/validatingadmissionpolicies";
  const policy = {
    apiVersion: "admissionregistration.k8s.io/v1beta1",
    kind: "ValidatingAdmissionPolicy",
    metadata: { name: "p" },
    spec: {
      matchConstraints: {
        resourceRules: [{ apiGroups: ["*"], apiVersions: ["*"], operations: ["*"], resources: ["*"] }],
      },
      validations: [{ expression: "true" }],
    },
  };
  expect((await send(client, "POST", path, protobuf(policy))).status).toBe(201);
  const headers = { authorization: "Bearer admin", accept: "application/vnd.kubernetes.protobuf" };
  const read = await client.app.fetch(new Request(`https://server${path}/p`, { headers }));
  expect(read.headers.get("content-type")).toBe("application/vnd.kubernetes.protobuf");
});

test("delete options are accepted in protobuf", async () => {
  const api = await openWithWidgets();
  await api.post(CONFIG_MAPS, { metadata: { name: "a" } });
  const options = { apiVersion: "v1", kind: "DeleteOptions", preconditions: { uid: "other" } };
  expect((await send(api, "DELETE", `${CONFIG_MAPS}/a`, protobuf(options))).status).toBe(409);
});

test("custom resources have no protobuf form", async () => {
  const api = await openWithWidgets();
  expect((await send(api, "POST", WIDGETS, new Uint8Array([0x6b, 0x38, 0x73, 0]))).status).toBe(415);
});
