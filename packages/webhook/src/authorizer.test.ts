import { fromPlain, toPlain } from "@portcullis/engine/internal/value/copy";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { objectOf } from "@portcullis/engine/internal/value/read";
import type { AuthorizationAttributes } from "@portcullis/engine/kubecel";
import { expect, test } from "vitest";
import { accessAuthorizer, reviewOf } from "./authorizer.ts";

const QUESTION: AuthorizationAttributes = {
  user: { name: "alice", uid: "", groups: ["devs"], extra: new Map([["k", ["v"]]]) },
  verb: "get",
  resourceRequest: true,
  path: "",
  apiGroup: "apps",
  apiVersion: "*",
  resource: "deployments",
  subresource: "",
  namespace: "web",
  name: "front",
  fieldSelector: "",
  labelSelector: "a=b",
};

function answered(status: object): (review: JsonObject) => Promise<JsonObject> {
  return async () => objectOf(fromPlain({ status }));
}

test.each([
  { status: { allowed: true, reason: "rbac" }, decision: "allow", reason: "rbac", error: undefined },
  { status: { allowed: false, denied: true }, decision: "deny", reason: "", error: undefined },
  { status: { allowed: false }, decision: "noOpinion", reason: "", error: undefined },
  { status: { evaluationError: "broken" }, decision: "noOpinion", reason: "", error: "broken" },
])("a review with the status $status is the decision $decision", async ({ status, ...expected }) => {
  expect(await accessAuthorizer({ review: answered(status), now: () => 0 })(QUESTION)).toEqual(expected);
});

test("the review has user, resource and namespace, and omits absent selectors", () => {
  expect(toPlain(reviewOf(QUESTION))).toMatchObject({
    kind: "SubjectAccessReview",
    spec: {
      user: "alice",
      groups: ["devs"],
      extra: { k: ["v"] },
      resourceAttributes: {
        verb: "get",
        group: "apps",
        version: "*",
        resource: "deployments",
        namespace: "web",
        name: "front",
        labelSelector: { rawSelector: "a=b" },
      },
    },
  });
  expect(toPlain(reviewOf({ ...QUESTION, resourceRequest: false, path: "/healthz" }))).toMatchObject({
    spec: { nonResourceAttributes: { verb: "get", path: "/healthz" } },
  });
});

test("a decision is cached for its lifetime and requested once for all waiting callers", async () => {
  let asked = 0;
  let now = 0;
  const authorizer = accessAuthorizer({
    review: answered({ allowed: true }),
    now: () => now,
    lifetimeMs: 100,
    onAsk: () => asked++,
  });
  await Promise.all([authorizer(QUESTION), authorizer(QUESTION)]);
  now = 99;
  await authorizer(QUESTION);
  expect(asked).toBe(1);
  now = 100;
  await authorizer(QUESTION);
  await authorizer({ ...QUESTION, verb: "list" });
  expect(asked).toBe(3);
});

test("a failed request is an error and is retried", async () => {
  let isBroken = true;
  const review = async (): Promise<JsonObject> => {
    if (isBroken) throw new Error("connection refused");
    return objectOf(fromPlain({ status: { allowed: true } }));
  };
  const authorizer = accessAuthorizer({ review, now: () => 0 });
  expect(await authorizer(QUESTION)).toEqual({ decision: "noOpinion", reason: "", error: "connection refused" });
  isBroken = false;
  expect((await authorizer(QUESTION)).decision).toBe("allow");
});
