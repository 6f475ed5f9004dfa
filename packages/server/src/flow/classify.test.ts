import type { User } from "@portcullis/engine/internal/rbac/user";
import { fromPlain } from "@portcullis/engine/internal/value/copy";
import { isObject, type JsonObject } from "@portcullis/engine/internal/value/json";
import { expect, test } from "vitest";
import type { RequestInfo } from "../http/request-info.ts";
import type { Tally } from "../observe/flow/flow-metrics.ts";
import { FlowClassifier } from "./classify.ts";

const alice: User = { name: "alice", uid: "", groups: [], extra: new Map() };
const tallyOf = (): Tally => ({}) as Tally;
const request = (resource: string): RequestInfo =>
  ({ isResource: true, verb: "get", group: "", resource, subresource: "", namespace: "a" }) as RequestInfo;

function object(data: unknown): JsonObject {
  const value = fromPlain(data);
  if (!isObject(value)) throw new Error("not an object");
  return value;
}

function schema(name: string, matchingPrecedence: number, resource: string) {
  const resourceRules = [{ verbs: ["*"], apiGroups: ["*"], resources: [resource], namespaces: ["*"] }];
  const rules = [{ subjects: [{ kind: "User", user: { name: "alice" } }], resourceRules }];
  return { schema: object({ metadata: { name }, spec: { matchingPrecedence, rules } }), level: object({}) };
}

test("schemas that did not change are not compiled again", () => {
  const kept = schema("kept", 1, "pods");
  let reads = 0;
  const spec = kept.schema["spec"];
  if (!isObject(spec)) throw new Error("not an object");
  const { rules } = spec;
  Object.defineProperty(spec, "rules", {
    get: () => {
      reads++;
      return rules;
    },
  });
  for (const other of ["secrets", "configmaps"]) {
    const all = [kept, schema("other", 2, other), schema("catch-all", 3, "*")];
    const classifier = new FlowClassifier(all, tallyOf);
    expect(classifier.classify(request("pods"), alice).schema).toBe("kept");
    expect(classifier.classify(request(other), alice).schema).toBe("other");
  }
  expect(reads).toBe(1);
});
