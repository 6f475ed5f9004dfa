/** Runs the steps of the API server before policies, for the requests that proofs generate. */
import type { FieldError } from "@portcullis/engine/internal/field/error";
import type { AdmissionAttributes, GroupVersionKind } from "@portcullis/engine/internal/policy/attributes";
import { prepareObjects, validatePrepared } from "@portcullis/engine/internal/prove/prepare-objects";
import { repairedAfter } from "@portcullis/engine/internal/prove/repair-errors";
import { apiVersionOf, isNeverStored, type Scenario } from "@portcullis/engine/internal/prove/sorts/kinds";
import { objectSort } from "@portcullis/engine/internal/prove/sorts/object-sorts";
import { skeletonOf } from "@portcullis/engine/internal/prove/sorts/skeletons";
import type { Admit, ProofRequest } from "@portcullis/engine/internal/prove/witness";
import { type JsonObject, newObject } from "@portcullis/engine/internal/value/json";
import { metaOf } from "@portcullis/engine/internal/value/metadata";
import { withMember } from "@portcullis/engine/internal/value/rewrite";
import { UsageError } from "../input/usage-error.ts";
import type { KindCatalog, ServedKind } from "../policy/kinds.ts";
import { makeRequest, type Request, type RequestParts } from "../policy/request.ts";
import { createdBefore, decodeOther, writeOwn } from "./proof-subresource.ts";

export function admitter(kinds: KindCatalog): Admit {
  return (request) => {
    try {
      return admit(request, kinds);
    } catch (thrown) {
      // The object is not valid for its kind.
      if (thrown instanceof UsageError) return undefined;
      throw thrown;
    }
  };
}

function admit(request: ProofRequest, kinds: KindCatalog): AdmissionAttributes | undefined {
  const attributes = admitObjects(request, kinds);
  const { options } = request;
  if (attributes?.options === undefined || options === undefined) return attributes;
  const made = Object.assign(newObject(), attributes.options, options);
  // They say the same as the request.
  delete made["dryRun"];
  if (request.dryRun) made["dryRun"] = ["All"];
  return { ...attributes, options: made };
}

function admitObjects(request: ProofRequest, kinds: KindCatalog): AdmissionAttributes | undefined {
  const { scenario } = request;
  const served = kinds.ofResource(scenario.kind);
  if (served === undefined) return undefined;
  const named = withKinds(request);
  if (named === undefined) return undefined;
  const asked = scenario.isGenerated ? withGeneratedName(named) : named;
  if (isNeverStored(scenario.kind)) {
    return admitOther(asked, { ...partsOf(asked), kind: scenario.objectKind }, kinds);
  }
  const attributes =
    scenario.subresource === "" ? admitMain(asked, kinds, served) : admitSubresource(asked, kinds, served);
  if (attributes === undefined) return undefined;
  if (scenario.isGenerated) return { ...attributes, namespace: "" };
  return scenario.isCollection ? { ...attributes, name: "" } : attributes;
}

/** A body without a kind has that of the request; any other kind is refused. */
function withKinds(request: ProofRequest): ProofRequest | undefined {
  const { scenario, object, oldObject } = request;
  const [next, before] = [object, oldObject].map((each) => each && withKind(each, scenario.objectKind));
  if ((object !== undefined && next === undefined) || (oldObject !== undefined && before === undefined))
    return undefined;
  return { ...request, object: next, oldObject: before };
}

function withKind(object: JsonObject, gvk: GroupVersionKind): JsonObject | undefined {
  const { apiVersion = apiVersionOf(gvk), kind = gvk.kind } = object;
  if (kind !== gvk.kind || apiVersion !== apiVersionOf(gvk)) return undefined;
  return withMember(withMember(object, "apiVersion", apiVersion), "kind", kind);
}

/** The server adds five characters to `generateName`. */
const SUFFIX = "bcdfg";
const MAX_BASE = 58;

function withGeneratedName(request: ProofRequest): ProofRequest {
  const base = request.name.slice(0, MAX_BASE);
  const name = `${base}${SUFFIX}`;
  const { object } = request;
  if (object === undefined) return request;
  const metadata = withMember(withMember(metaOf(object), "generateName", base), "name", name);
  return { ...request, name, object: withMember(object, "metadata", metadata) };
}

const MAX_REPAIRS = 3;

/** Objects that are not valid are corrected a few times. */
function admitMain(request: ProofRequest, kinds: KindCatalog, served: ServedKind): AdmissionAttributes | undefined {
  let asked: ProofRequest | undefined = request;
  const limit = request.isExact === true ? 0 : MAX_REPAIRS;
  for (let round = 0; asked !== undefined; round++) {
    const { object, oldObject } = asked;
    const prepared: Request | undefined = makePrepared({ ...partsOf(asked), object, oldObject }, kinds, served);
    if (prepared === undefined) return undefined;
    const { attributes } = prepared;
    const found = errorsOf(attributes, served);
    if (found.object.length + found.oldObject.length === 0) return attributes;
    asked = round < limit ? correctedRequest(asked, attributes, found) : undefined;
  }
  return undefined;
}

interface Errors {
  readonly object: readonly FieldError[];
  readonly oldObject: readonly FieldError[];
}

function errorsOf({ object, oldObject }: AdmissionAttributes, served: ServedKind): Errors {
  return {
    object: validatePrepared({ object, oldObject }, served),
    oldObject: oldObject === undefined ? [] : validatePrepared({ object: oldObject, oldObject: undefined }, served),
  };
}

/** The name of the object is that of the request. */
const FIXED = /^metadata\.(name|namespace)\b/;

/** Undefined if there is nothing to correct. */
function correctedRequest(
  request: ProofRequest,
  { oldObject: stored }: AdmissionAttributes,
  errors: Errors,
): ProofRequest | undefined {
  const { scenario, object, oldObject } = request;
  if ([...errors.object, ...errors.oldObject].some(({ path }) => FIXED.test(path.toString()))) return undefined;
  const context = { skeleton: skeletonOf(scenario.objectKind), sort: objectSort(scenario), old: undefined };
  const before = oldObject && repairedAfter(oldObject, errors.oldObject, context);
  const next = object && repairedAfter(object, errors.object, { ...context, old: stored });
  if (before === undefined && next === undefined) return undefined;
  return { ...request, object: next ?? object, oldObject: before ?? oldObject };
}

/** The request with its objects as policies see them; undefined if one is not valid for its kind. */
function makePrepared(parts: RequestParts, kinds: KindCatalog, served: ServedKind): Request | undefined {
  const plain = makeRequest(parts, kinds);
  const { object, oldObject, namespace } = plain.attributes;
  const prepared = prepareObjects({ object, oldObject }, served, served.namespaced ? namespace : "");
  return prepared && { ...plain, attributes: { ...plain.attributes, ...prepared } };
}

/** A request with other objects, as policies would see it; undefined if the API server refuses it before. */
export function readmitted(attributes: AdmissionAttributes, served: ServedKind): AdmissionAttributes | undefined {
  const { object, oldObject, namespace } = attributes;
  const prepared = prepareObjects({ object, oldObject }, served, served.namespaced ? namespace : "");
  if (prepared === undefined) return undefined;
  const isStored = prepared.oldObject === undefined || isValid(prepared.oldObject, undefined, served);
  const isAccepted = prepared.object === undefined || isValid(prepared.object, prepared.oldObject, served);
  return isStored && isAccepted ? { ...attributes, ...prepared } : undefined;
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
  return validatePrepared({ object, oldObject }, served).length === 0;
}

const PARTS: readonly string[] = ["resize", "status"];

/** The object is stored first. Bodies of other kinds are decoded and used unchanged. */
function admitSubresource(
  request: ProofRequest,
  kinds: KindCatalog,
  served: ServedKind,
): AdmissionAttributes | undefined {
  const { scenario, object, oldObject } = request;
  const parts = { ...partsOf(request), kind: scenario.objectKind };
  if (scenario.objectKind.kind !== served.kind) return admitOther(request, parts, kinds);
  const given = object ?? oldObject;
  // What a write to a part keeps is that of the old object.
  const before = PARTS.includes(scenario.subresource) ? (oldObject ?? object) : given;
  const stored = before && storedObject(createdBefore(before, scenario.subresource), request, kinds, served);
  const next = stored && given && writeOwn(stored, given, scenario.subresource, served);
  return next && makeRequest({ ...parts, object: next, oldObject: stored }, kinds).attributes;
}

function admitOther(request: ProofRequest, parts: RequestParts, kinds: KindCatalog): AdmissionAttributes | undefined {
  const { scenario, object, oldObject, namespace } = request;
  const place = scenario.kind.namespaced ? namespace : "";
  const decode = (each: JsonObject | undefined) => each && decodeOther(each, scenario.objectKind, place);
  const [next, before] = [decode(object), decode(oldObject)];
  const isRefused = (object !== undefined && next === undefined) || (oldObject !== undefined && before === undefined);
  return isRefused ? undefined : makeRequest({ ...parts, object: next, oldObject: before }, kinds).attributes;
}

/** The object as it was created. */
function storedObject(
  object: JsonObject,
  request: ProofRequest,
  kinds: KindCatalog,
  served: ServedKind,
): JsonObject | undefined {
  const scenario: Scenario = { ...request.scenario, operation: "CREATE", subresource: "" };
  const created = admitMain({ ...request, scenario, object, oldObject: undefined }, kinds, served)?.object;
  return created && withMember(created, "metadata", withMember(metaOf(created), "resourceVersion", "1"));
}
