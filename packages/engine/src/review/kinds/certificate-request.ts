/** Requests for certificates: their approval and status have rules of their own. */
import type { BuiltinResource } from "../../builtin/builtin.ts";
import { prepareCsrApproval, prepareCsrStatus, withRequester } from "../../builtin/strategies/certificates.ts";
import { type CsrEndpoint, validateCsrUpdate } from "../../builtin/validate/certificates.ts";
import type { JsonObject } from "../../value/json.ts";
import { type BuiltInKindOptions, validateMetaAgain } from "./built-in.ts";
import type { KindRules } from "./built-in-strategy.ts";

export const CERTIFICATES_GROUP = "certificates.k8s.io";
export const REQUESTS = "certificatesigningrequests";

/** Nothing for other kinds. */
export function certificateRules(resource: BuiltinResource): BuiltInKindOptions {
  if (resource.group !== CERTIFICATES_GROUP || resource.plural !== REQUESTS) return {};
  const subresources = {
    status: subresource("status", prepareCsrStatus),
    approval: subresource("approval", prepareCsrApproval),
  };
  const rules: Partial<KindRules> = {
    prepareCreate: (object, { system, user }) => {
      const prepared = resource.prepareCreate(object, { now: system.now, clusterIp: () => "", nodePort: () => 0 });
      return withRequester(prepared, user);
    },
  };
  return { rules, subresources };
}

type Prepare = (csr: JsonObject, old: JsonObject, now: string) => JsonObject;

function subresource(name: CsrEndpoint, prepare: Prepare): Pick<KindRules, "prepareUpdate" | "validateUpdate"> {
  return {
    prepareUpdate: (object, old, { system }) => prepare(object, old, system.now()),
    validateUpdate: (object, old) => [...validateCsrUpdate(object, old, name), ...validateMetaAgain(object, old)],
  };
}
