/** A request that a validation denies, and ways to make other requests of it. */
import type { AdmissionAttributes, Operation } from "../../policy/attributes.ts";
import { compiledPolicy } from "../../policy/compile.ts";
import { fromPlain } from "../../value/copy.ts";
import { isObject, type JsonObject, type JsonValue, newObject } from "../../value/json.ts";
import type { About } from "../facts.ts";
import { readsOf } from "../pool.ts";
import { type ProofKind, type Scenario, scenariosOf } from "../sorts/kinds.ts";
import { type ProofRequest, verdictOf, type Witness, withName } from "../witness.ts";

export type GapKind =
  | "delete"
  | "ephemeral-containers"
  | "init-containers"
  | "kind"
  | "subresource"
  | "update"
  | "version";

/** A request that may be admitted. */
export interface GapAttempt {
  readonly gap: GapKind;
  readonly text: string;
  readonly request: ProofRequest;
  /** Whether the request has the effect that the validation denies; undefined if it certainly has. */
  readonly isHarmful?: ((attributes: AdmissionAttributes) => boolean) | undefined;
}

export interface Base {
  readonly about: About;
  readonly kind: ProofKind;
  /** The object that the validation denies. */
  readonly object: JsonObject;
  readonly request: Omit<ProofRequest, "object" | "oldObject" | "scenario">;
}

type Rest = Base["request"];

export function baseOf(about: About, { attributes, namespace, params }: Witness): Base | undefined {
  const kind = about.options.kinds.find(
    ({ group, version, resource }) =>
      group === attributes.resource.group &&
      version === attributes.resource.version &&
      resource === attributes.resource.resource,
  );
  const object = attributes.object ?? attributes.oldObject;
  if (object === undefined || kind === undefined) return undefined;
  const { name, userInfo: user } = attributes;
  const request: Rest = {
    name: name || "example",
    namespace: attributes.namespace,
    user,
    dryRun: false,
    namespaceObject: namespace,
    params,
  };
  return { about, kind, object, request };
}

export function scenarioOf(kind: ProofKind, operation: Operation, subresource = ""): Scenario | undefined {
  return scenariosOf(kind).find(
    (each) =>
      each.operation === operation && each.subresource === subresource && !each.isCollection && !each.isGenerated,
  );
}

export function attempt(
  { request }: Base,
  scenario: Scenario | undefined,
  gap: GapKind,
  text: string,
  objects: Partial<Pick<ProofRequest, "object" | "oldObject">>,
): GapAttempt[] {
  if (scenario === undefined) return [];
  const own = (object: JsonObject | undefined): JsonObject | undefined =>
    object && withName(withoutStatus(object), request.name);
  return [
    {
      gap,
      text,
      request: { ...request, scenario, object: own(objects.object), oldObject: own(objects.oldObject), isExact: true },
    },
  ];
}

function withoutStatus(object: JsonObject): JsonObject {
  const made = Object.assign(newObject(), object);
  if (made["kind"] !== "Scale") delete made["status"];
  return made;
}

/** Whether the validation reads something below a place. */
export function reads({ about }: Base, place: readonly string[]): boolean {
  const paths = readsOf(compiledPolicy(about.hook.policy), about.validation);
  return paths.some((path) => path.length > place.length && place.every((key, at) => path[at] === key));
}

/** Whether the policies deny this object on create. */
export function isDenied(base: Base, object: JsonObject): boolean {
  const { side, options } = base.about;
  return attempt(base, scenarioOf(base.kind, "CREATE"), "kind", "", { object }).some(({ request }) => {
    const attributes = options.replay.admit(request);
    if (attributes === undefined) return false;
    const { params, namespaceObject } = request;
    return !verdictOf(side.policies, side.context, { attributes, namespace: namespaceObject, params }).allowed;
  });
}

export function record(members: Readonly<Record<string, JsonValue>>): JsonObject {
  const copied = fromPlain(members);
  return isObject(copied) ? copied : newObject();
}
