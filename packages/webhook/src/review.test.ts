import { expect, test } from "vitest";
import { decodeReview, encodeAllowed } from "./review.ts";

const REQUEST = {
  uid: "u",
  kind: { group: "apps", version: "v1", kind: "Deployment" },
  resource: { group: "apps", version: "v1", resource: "deployments" },
  operation: "UPDATE",
  name: "web",
  namespace: "shop",
  subResource: "scale",
  userInfo: { username: "alice", uid: "1", groups: ["devs"], extra: { scopes: ["a", "b"] } },
  object: { kind: "Deployment" },
  oldObject: { kind: "Deployment" },
  dryRun: true,
};

function body(apiVersion: string, request: object): string {
  return JSON.stringify({ apiVersion, kind: "AdmissionReview", request });
}

test.each(["v1", "v1beta1"])("a review of %s is read, and answered in the same version", (version) => {
  const review = decodeReview(body(`admission.k8s.io/${version}`, REQUEST));
  if (typeof review === "string") throw new Error(review);
  expect(review.attributes).toMatchObject({
    operation: "UPDATE",
    resource: { group: "apps", version: "v1", resource: "deployments" },
    subresource: "scale",
    name: "web",
    namespace: "shop",
    dryRun: true,
    userInfo: { name: "alice", uid: "1", groups: ["devs"], extra: new Map([["scopes", ["a", "b"]]]) },
    options: undefined,
  });
  expect(JSON.parse(encodeAllowed(review))).toEqual({
    apiVersion: `admission.k8s.io/${version}`,
    kind: "AdmissionReview",
    response: { uid: "u", allowed: true },
  });
});

test("the requested version differs from the sent one", () => {
  const requestResource = { group: "extensions", version: "v1beta1", resource: "deployments" };
  const requestKind = { group: "extensions", version: "v1beta1", kind: "Deployment" };
  const review = decodeReview(body("admission.k8s.io/v1", { ...REQUEST, requestResource, requestKind }));
  expect(review).toMatchObject({
    attributes: { resource: requestResource, kind: requestKind },
    sent: { resource: REQUEST.resource, kind: REQUEST.kind },
  });
});

test.each([
  { name: "another version", text: body("admission.k8s.io/v2", REQUEST) },
  { name: "a list", text: "[]" },
  { name: "an unknown operation", text: body("admission.k8s.io/v1", { ...REQUEST, operation: "patch" }) },
  { name: "no JSON", text: "{" },
])("$name is not a review", ({ text }) => {
  expect(typeof decodeReview(text)).toBe("string");
});
