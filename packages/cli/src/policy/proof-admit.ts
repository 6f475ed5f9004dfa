/** What the API server makes of a request before it asks policies, for the examples that proofs come up with. */
import type { AdmissionAttributes } from "@portcullis/engine/policy/attributes";
import type { Admit, ProofRequest } from "@portcullis/engine/prove/witness";
import { isObject, type JsonObject, newObject } from "@portcullis/engine/value/json";
import { withMember } from "@portcullis/engine/value/rewrite";
import { UsageError } from "../commands/command.ts";
import type { KindCatalog, ServedKind } from "./kinds.ts";
import { makeRequest, type RequestParts } from "./request.ts";
import { metaOf, validateSettled } from "./settle.ts";

export function admitter(kinds: KindCatalog): Admit {
  return (request) => {
    try {
      return admit(request, kinds);
    } catch (thrown) {
      // An object that is none of its kind.
      if (thrown instanceof UsageError) return undefined;
      throw thrown;
    }
  };
}

function admit(request: ProofRequest, kinds: KindCatalog): AdmissionAttributes | undefined {
  const { scenario } = request;
  const served = kinds.ofResource(scenario.kind);
  if (served === undefined) return undefined;
  const attributes =
    scenario.subresource === "" ? admitMain(request, kinds, served) : admitSubresource(request, kinds, served);
  return attributes && scenario.isCollection ? { ...attributes, name: "" } : attributes;
}

function admitMain(request: ProofRequest, kinds: KindCatalog, served: ServedKind): AdmissionAttributes | undefined {
  const { object, oldObject } = request;
  const { attributes } = makeRequest({ ...partsOf(request), object, oldObject }, kinds);
  const isStored = attributes.oldObject === undefined || isValid(attributes.oldObject, undefined, served);
  const isAccepted = attributes.object === undefined || isValid(attributes.object, attributes.oldObject, served);
  return isStored && isAccepted ? attributes : undefined;
}

function partsOf({ scenario, name, namespace, user, dryRun }: ProofRequest): RequestParts {
  const { operation, kind, subresource } = scenario;
  const { group, version, resource } = kind;
  return {
    operation,
    resource: { group, version, resource },
    subresource,
    name,
    namespace: kind.namespaced ? namespace : undefined,
    user,
    dryRun,
  };
}

function isValid(object: JsonObject, oldObject: JsonObject | undefined, served: ServedKind): boolean {
  return validateSettled({ object, oldObject }, served).length === 0;
}

/** A status comes with the object as it is stored; what other subresources are written with is taken as it is. */
function admitSubresource(
  request: ProofRequest,
  kinds: KindCatalog,
  served: ServedKind,
): AdmissionAttributes | undefined {
  const { scenario, object, oldObject, namespace } = request;
  const parts = { ...partsOf(request), kind: scenario.objectKind, isSettled: true };
  if (scenario.objectKind.kind !== served.kind) {
    const place = (each: JsonObject | undefined) => each && placed(each, scenario.kind.namespaced ? namespace : "");
    return makeRequest({ ...parts, object: place(object), oldObject: place(oldObject) }, kinds).attributes;
  }
  const { created, next } = splitWrite(object, scenario.subresource);
  const stored = created && storedObject(created, request, kinds, served);
  if (stored === undefined) return undefined;
  return makeRequest({ ...parts, object: decoded(next(stored), served), oldObject: stored }, kinds).attributes;
}

interface SplitWrite {
  /** What was written before, by a create. */
  readonly created: JsonObject | undefined;
  /** What the subresource makes of it. */
  readonly next: (stored: JsonObject) => JsonObject;
}

function splitWrite(object: JsonObject | undefined, subresource: string): SplitWrite {
  if (object === undefined) return { created: undefined, next: (stored) => stored };
  if (subresource === "status") {
    const { status } = object;
    return {
      created: object,
      next: (stored) => (status === undefined ? stored : withMember(stored, "status", status)),
    };
  }
  const spec = isObject(object["spec"]) ? object["spec"] : newObject();
  const added = subresource === "ephemeralcontainers" ? spec["ephemeralContainers"] : undefined;
  if (added === undefined) return { created: object, next: (stored) => stored };
  const rest = Object.assign(newObject(), spec);
  delete rest["ephemeralContainers"];
  const specOf = (stored: JsonObject): JsonObject => (isObject(stored["spec"]) ? stored["spec"] : newObject());
  return {
    created: withMember(object, "spec", rest),
    next: (stored) => withMember(stored, "spec", withMember(specOf(stored), "ephemeralContainers", added)),
  };
}

/** With the defaults of what was added. */
function decoded(object: JsonObject, { builtin }: ServedKind): JsonObject {
  if (builtin === undefined) return object;
  const { value, error } = builtin.decodeFields(object);
  return error === undefined ? value : object;
}

/** The object as it was created. */
function storedObject(
  object: JsonObject,
  request: ProofRequest,
  kinds: KindCatalog,
  served: ServedKind,
): JsonObject | undefined {
  const created: RequestParts = { ...partsOf(request), operation: "CREATE", subresource: "", object };
  const { attributes } = makeRequest(created, kinds);
  if (attributes.object === undefined || !isValid(attributes.object, undefined, served)) return undefined;
  return withMember(attributes.object, "metadata", withMember(metaOf(attributes.object), "resourceVersion", "1"));
}

function placed(object: JsonObject, namespace: string): JsonObject {
  if (object["kind"] !== "Scale" || namespace === "") return object;
  const metadata = isObject(object["metadata"]) ? object["metadata"] : newObject();
  return withMember(object, "metadata", withMember(metadata, "namespace", namespace));
}
