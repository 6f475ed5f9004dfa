/** A small cluster for tests: objects given as YAML or plain data, requests put to the policies among them. */
import { decodeDocuments } from "../codec/documents.ts";
import { rbacSource, serverAuthorizer } from "../rbac/authorizer.ts";
import { fromPlain } from "../value/copy.ts";
import { isObject, type JsonObject } from "../value/json.ts";
import type { AdmissionAttributes } from "./attributes.ts";
import { loadBinding } from "./binding.ts";
import { evaluatePolicies, type PolicyContext, type PolicyVerdict } from "./dispatch.ts";
import { nameOf, type ParamSource } from "./params.ts";
import { loadPolicy } from "./policy.ts";
import { PolicySet } from "./policy-set.ts";
import { objectOf, textOf } from "./read.ts";

export function yaml(text: string): JsonObject[] {
  return decodeDocuments(text).flatMap(({ document }) => {
    if (document.error !== undefined) throw new Error(document.error);
    return isObject(document.value) ? [document.value] : [];
  });
}

export function plainObject(data: unknown): JsonObject {
  const value = fromPlain(data);
  if (!isObject(value)) throw new Error("not an object");
  return value;
}

export interface TestRequest extends Partial<Omit<AdmissionAttributes, "object" | "oldObject" | "options">> {
  readonly object?: unknown;
  readonly oldObject?: unknown;
}

const ADMIN = { name: "admin", uid: "", groups: ["system:masters"], extra: new Map() };

export function attributes({ object, oldObject, ...request }: TestRequest): AdmissionAttributes {
  const [made, old] = [object, oldObject].map((each) => (each === undefined ? undefined : plainObject(each)));
  const metadata = objectOf((made ?? old)?.["metadata"]);
  return {
    operation: old === undefined ? "CREATE" : "UPDATE",
    resource: { group: "", version: "v1", resource: "configmaps" },
    kind: { group: "", version: "v1", kind: "ConfigMap" },
    subresource: "",
    name: textOf(metadata["name"]),
    namespace: textOf(metadata["namespace"]),
    options: undefined,
    dryRun: false,
    userInfo: ADMIN,
    ...request,
    object: made,
    oldObject: old,
  };
}

/** Every object that is neither policy nor binding can be a param; kinds without a namespace are cluster-scoped. */
export function paramsFrom(objects: readonly JsonObject[]): ParamSource {
  return {
    find({ group, version, kind }) {
      const apiVersion = group === "" ? version : `${group}/${version}`;
      const found = objects.filter((each) => each["apiVersion"] === apiVersion && each["kind"] === kind);
      if (found.length === 0) return undefined;
      const namespaceOf = (object: JsonObject): string => textOf(objectOf(object["metadata"])["namespace"]);
      const within = (namespace: string) => found.filter((each) => namespaceOf(each) === namespace);
      return {
        namespaced: found.some((each) => namespaceOf(each) !== ""),
        get: (namespace, name) => within(namespace).find((each) => nameOf(each) === name),
        list: within,
      };
    },
  };
}

export function policySetOf(objects: readonly JsonObject[]): PolicySet {
  const ofKind = (kind: string) => objects.filter((each) => each["kind"] === kind);
  return new PolicySet(
    ofKind("ValidatingAdmissionPolicy").map(loadPolicy),
    ofKind("ValidatingAdmissionPolicyBinding").map(loadBinding),
  );
}

export function contextOf(objects: readonly JsonObject[], over: Partial<PolicyContext> = {}): PolicyContext {
  return {
    params: paramsFrom(objects),
    namespace: (name) =>
      objects.find((each) => each["kind"] === "Namespace" && nameOf(each) === name) ??
      plainObject({ metadata: { name } }),
    authorizer: serverAuthorizer(rbacSource(objects)),
    ...over,
  };
}

export function admit(
  objects: readonly JsonObject[],
  request: TestRequest,
  over?: Partial<PolicyContext>,
): PolicyVerdict {
  return evaluatePolicies(policySetOf(objects), attributes(request), contextOf(objects, over));
}
