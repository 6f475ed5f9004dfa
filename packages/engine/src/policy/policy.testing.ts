/** A small cluster for tests: objects given as YAML or plain data, requests put to the policies among them. */
import { decodeDocuments } from "../codec/documents.ts";
import { rbacSource, serverAuthorizer } from "../rbac/authorizer.ts";
import { fromPlain } from "../value/copy.ts";
import { isObject, type JsonObject } from "../value/json.ts";
import { objectOf, textOf } from "../value/read.ts";
import type { AdmissionAttributes } from "./attributes.ts";
import { evaluatePolicies, type PolicyContext, type PolicyVerdict } from "./dispatch.ts";
import { namespacesFrom, paramsFrom, policySetFrom } from "./manifests.ts";

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

export function contextOf(objects: readonly JsonObject[], over: Partial<PolicyContext> = {}): PolicyContext {
  return {
    params: paramsFrom(objects),
    namespace: namespacesFrom(objects),
    authorizer: serverAuthorizer(rbacSource(objects)),
    ...over,
  };
}

export function admit(
  objects: readonly JsonObject[],
  request: TestRequest,
  over?: Partial<PolicyContext>,
): PolicyVerdict {
  return evaluatePolicies(policySetFrom(objects), attributes(request), contextOf(objects, over));
}
