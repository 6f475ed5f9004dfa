/**
 * Whoever writes a policy or a binding must be able to read the params that it names.
 *
 * Asked once the object is valid; a refusal is an error about one of its fields. Follows the authorizers of
 * pkg/registry/admissionregistration.
 */
import type { FieldError } from "@portcullis/engine/field/error";
import { authorizeBinding, authorizePolicy, type WriteContext } from "@portcullis/engine/policy/authorize";
import { readBinding } from "@portcullis/engine/policy/binding";
import { POLICY_GROUP } from "@portcullis/engine/policy/decode";
import type { MatchedPolicy } from "@portcullis/engine/policy/policy-set";
import { invalid } from "@portcullis/engine/status/error";
import type { JsonObject } from "@portcullis/engine/value/json";
import type { AdmissionPlugin, AdmissionRequest } from "../registry/context.ts";
import { metaText } from "../registry/meta.ts";
import { MUTATING, type PolicyCatalog, VALIDATING } from "./catalog.ts";
import { Lookups } from "./lookups.ts";

export interface Catalogs {
  readonly validating: PolicyCatalog;
  readonly mutating: Pick<PolicyCatalog<MatchedPolicy>, "policy">;
}

export function policyWriterCheck(catalogs: Catalogs): AdmissionPlugin {
  return { validate: (request) => checkWriter(request, catalogs) };
}

async function checkWriter(request: AdmissionRequest, catalogs: Catalogs): Promise<void> {
  const { endpoint, object, user, server } = request;
  const { type, subresource } = endpoint;
  if (type.group !== POLICY_GROUP || object === undefined || subresource !== undefined) return;
  const judge = judgeOf(type.plural, catalogs);
  if (judge === undefined) return;
  const errors = await new Lookups(server).run(({ authorizer }) => {
    const resourceOf: WriteContext["resourceOf"] = (kind) =>
      server.registry.all().find((each) => each.group === kind.group && each.kind === kind.kind)?.plural;
    return judge(object, request.old, { user, authorizer, resourceOf });
  });
  if (errors.length > 0) throw invalid({ group: type.group, kind: type.kind }, metaText(object, "name"), errors);
}

type Judge = (object: JsonObject, old: JsonObject | undefined, context: WriteContext) => FieldError[];

/** Undefined where the resource is neither policies nor bindings. */
function judgeOf(plural: string, { validating, mutating }: Catalogs): Judge | undefined {
  switch (plural) {
    case VALIDATING.policies:
    case MUTATING.policies: {
      const { read } = plural === VALIDATING.policies ? VALIDATING : MUTATING;
      return (object, old, context) => authorizePolicy(read(object), old && read(old), context);
    }
    case VALIDATING.bindings:
      return judgeBinding((name) => validating.policy(name), false);
    case MUTATING.bindings:
      return judgeBinding((name) => mutating.policy(name), true);
    default:
      return undefined;
  }
}

function judgeBinding(find: (name: string) => MatchedPolicy | undefined, isMutating: boolean): Judge {
  return (object, old, context) => {
    const binding = readBinding(object);
    return authorizeBinding(binding, old && readBinding(old), find(binding.policyName), { ...context, isMutating });
  };
}
