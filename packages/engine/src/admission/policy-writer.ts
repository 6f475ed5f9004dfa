/**
 * A user who writes a policy or a binding must be able to read the params that it names.
 *
 * Asked once the object is valid; a refusal is an error about one of its fields. Follows the authorizers of
 * pkg/registry/admissionregistration.
 */
import type { FieldError } from "../field/error.ts";
import { readBinding } from "../policy/binding.ts";
import { readMutatingPolicy } from "../policy/mutating/policy.ts";
import { authorizeBinding, authorizePolicy, type WriteContext } from "../policy/objects/authorize.ts";
import { POLICY_GROUP } from "../policy/objects/decode.ts";
import { readPolicy } from "../policy/policy.ts";
import type { MatchedPolicy } from "../policy/policy-set.ts";
import type { AdmissionPlugin, AdmissionRequest } from "../review/cluster-view.ts";
import {
  MUTATING_BINDINGS,
  MUTATING_POLICIES,
  VALIDATING_BINDINGS,
  VALIDATING_POLICIES,
} from "../review/kinds/admission-configuration.ts";
import { invalid } from "../status/error.ts";
import type { JsonObject } from "../value/json.ts";
import { metaText } from "../value/metadata.ts";
import { Lookups } from "./lookups.ts";

/** Finds policies by name. */
export interface PolicyFinder {
  policy(name: string): MatchedPolicy | undefined;
}

export interface PolicyFinders {
  readonly validating: PolicyFinder;
  readonly mutating: PolicyFinder;
}

export function policyWriterCheck(finders: PolicyFinders): AdmissionPlugin {
  return { validate: (request) => checkWriter(request, finders) };
}

async function checkWriter(request: AdmissionRequest, finders: PolicyFinders): Promise<void> {
  const { endpoint, object, user, cluster } = request;
  const { type, subresource } = endpoint;
  if (type.group !== POLICY_GROUP || object === undefined || subresource !== undefined) return;
  const check = checkOf(type.plural, finders);
  if (check === undefined) return;
  const errors = await new Lookups({ cluster }).run(({ authorizer }) => {
    const resourceOf: WriteContext["resourceOf"] = (kind) =>
      cluster.kinds.all().find((each) => each.group === kind.group && each.kind === kind.kind)?.plural;
    return check(object, request.old, { user, authorizer, resourceOf });
  });
  if (errors.length > 0) throw invalid({ group: type.group, kind: type.kind }, metaText(object, "name"), errors);
}

type Check = (object: JsonObject, old: JsonObject | undefined, context: WriteContext) => FieldError[];

/** Undefined if the resource is neither policies nor bindings. */
function checkOf(plural: string, { validating, mutating }: PolicyFinders): Check | undefined {
  switch (plural) {
    case VALIDATING_POLICIES:
      return (object, old, context) => authorizePolicy(readPolicy(object), old && readPolicy(old), context);
    case MUTATING_POLICIES:
      return (object, old, context) =>
        authorizePolicy(readMutatingPolicy(object), old && readMutatingPolicy(old), context);
    case VALIDATING_BINDINGS:
      return checkBinding((name) => validating.policy(name), false);
    case MUTATING_BINDINGS:
      return checkBinding((name) => mutating.policy(name), true);
    default:
      return undefined;
  }
}

function checkBinding(find: (name: string) => MatchedPolicy | undefined, isMutating: boolean): Check {
  return (object, old, context) => {
    const binding = readBinding(object);
    return authorizeBinding(binding, old && readBinding(old), find(binding.policyName), { ...context, isMutating });
  };
}
