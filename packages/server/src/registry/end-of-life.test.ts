import { describe, expect, test } from "vitest";
import { DEFINITIONS, openClient, openWithWidgets, WIDGETS, widget } from "../app/app.testing.ts";

const CRD = `${DEFINITIONS}/widgets.example.com`;
const PODS = "/api/v1/namespaces/default/pods";
const POLICIES = "/apis/admissionregistration.k8s.io/v1/validatingadmission";
const APPLY = { type: "application/apply-patch+yaml" };

describe("a CRD in deletion", () => {
  test("refuses to create by apply, and still accepts changes", async () => {
    const api = await openWithWidgets();
    await api.post(WIDGETS, widget("a", { metadata: { finalizers: ["e.com/f"] } }));
    await api.delete(CRD);
    await api.app.settled();
    const config = (name: string) => ({ ...widget(name), metadata: { name, labels: { a: "b" } } });
    const refused = await api.patch(`${WIDGETS}/b?fieldManager=m`, config("b"), APPLY);
    expect([refused.code, refused.json.message]).toEqual([
      403,
      'widgets.example.com "b" is forbidden: create not allowed while custom resource definition is terminating',
    ]);
    expect((await api.patch(`${WIDGETS}/a?fieldManager=m&force=true`, config("a"), APPLY)).code).toBe(200);
    await api.app.close();
  });

  test("has messages of its own for preconditions", async () => {
    const api = await openWithWidgets();
    const { uid, resourceVersion } = (await api.get(CRD)).json.metadata;
    const failed = (text: string) =>
      `Operation cannot be fulfilled on customresourcedefinitions.apiextensions.k8s.io "widgets.example.com": precondition failed: ${text}`;
    const refused = async (preconditions: object) => (await api.delete(CRD, { body: { preconditions } })).json.message;
    expect(await refused({ uid: "x" })).toBe(failed(`UID in precondition: x, UID in object meta: ${uid}`));
    expect(await refused({ resourceVersion: "1" })).toBe(
      failed(`ResourceVersion in precondition: 1, ResourceVersion in object meta: ${resourceVersion}`),
    );
    await api.app.close();
  });

  test("says that it is done where another finalizer holds it", async () => {
    const api = await openWithWidgets();
    await api.patch(CRD, { metadata: { finalizers: ["e.com/f", "customresourcecleanup.apiextensions.k8s.io"] } });
    await api.post(WIDGETS, widget("a"));
    await api.delete(CRD);
    await api.app.settled();
    const { json } = await api.get(CRD);
    expect(json.metadata.finalizers).toEqual(["e.com/f"]);
    expect(json.status.conditions.at(-1)).toMatchObject({
      type: "Terminating",
      status: "False",
      reason: "InstanceDeletionCompleted",
      message: "removed all instances",
    });
    await api.app.close();
  });
});

describe("a pod in deletion", () => {
  test("is deleted again without asking policies, unless its period gets shorter", async () => {
    const api = await openClient();
    const pod = { metadata: { name: "p" }, spec: { nodeName: "n", containers: [{ name: "c", image: "i" }] } };
    await api.post(PODS, { apiVersion: "v1", kind: "Pod", ...pod });
    expect((await api.delete(`${PODS}/p`)).code).toBe(200);
    const rule = { apiGroups: [""], apiVersions: ["v1"], operations: ["DELETE"], resources: ["pods"] };
    const spec = { matchConstraints: { resourceRules: [rule] }, validations: [{ expression: "false" }] };
    const policy = { apiVersion: "admissionregistration.k8s.io/v1", metadata: { name: "never" } };
    await api.post(`${POLICIES}policies`, { ...policy, kind: "ValidatingAdmissionPolicy", spec });
    const bound = { policyName: "never", validationActions: ["Deny"] };
    await api.post(`${POLICIES}policybindings`, { ...policy, kind: "ValidatingAdmissionPolicyBinding", spec: bound });
    expect((await api.delete(`${PODS}/p`)).code).toBe(200);
    expect((await api.delete(`${PODS}/p?gracePeriodSeconds=60`)).code).toBe(200);
    expect((await api.delete(`${PODS}/p?gracePeriodSeconds=1`)).code).toBe(422);
    await api.app.close();
  });
});

describe("an open watch", () => {
  test("ends when its CRD changes", async () => {
    const api = await openWithWidgets();
    const watch = await api.watch(`${WIDGETS}?watch=true&resourceVersion=1`);
    const { json } = await api.get(CRD);
    json.spec.names.shortNames = ["wi"];
    expect((await api.put(CRD, json)).code).toBe(200);
    expect(await watch.next()).toBeUndefined();
    await api.app.close();
  });

  test("sees the objects of a deleted CRD go, and ends", async () => {
    const api = await openWithWidgets();
    await api.post(WIDGETS, widget("a"));
    const watch = await api.watch(`${WIDGETS}?watch=true`);
    expect((await watch.next()).type).toBe("ADDED");
    await api.delete(CRD);
    expect((await watch.next()).type).toBe("DELETED");
    expect(await watch.next()).toBeUndefined();
    await api.app.close();
  });
});

test("a pod that is deleted is marked first", async () => {
  const api = await openClient();
  const pods = "/api/v1/namespaces/default/pods";
  const pod = { metadata: { name: "a" }, spec: { containers: [{ name: "a", image: "a" }] } };
  expect((await api.post(pods, pod)).code).toBe(201);
  const watch = await api.watch(`${pods}?watch=true`);
  await watch.next();
  const { json } = await api.delete(`${pods}/a?gracePeriodSeconds=0`);
  const mark = { deletionTimestamp: "2026-01-02T03:04:05Z", deletionGracePeriodSeconds: 0 };
  expect(json.metadata).toMatchObject(mark);
  expect(await watch.next()).toMatchObject({ type: "MODIFIED", object: { metadata: mark } });
  expect(await watch.next()).toMatchObject({ type: "DELETED", object: { metadata: mark } });
  expect((await api.get(`${pods}/a`)).code).toBe(404);
  await watch.close();
  await api.app.close();
});
