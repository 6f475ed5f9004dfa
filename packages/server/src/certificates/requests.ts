/** Requests for certificates: their approval and status have rules of their own. */
import type { BuiltinResource } from "@portcullis/engine/builtin/builtin";
import {
  prepareCsrApproval,
  prepareCsrStatus,
  withRequester,
} from "@portcullis/engine/builtin/strategies/certificates";
import { type CsrDoor, validateCsrUpdate } from "@portcullis/engine/builtin/validate/certificates";
import type { JsonObject } from "@portcullis/engine/value/json";
import type { KindRules } from "../registry/built-in.ts";
import { type BuiltinTypeOptions, judgeMetaAgain } from "../registry/builtin-types.ts";

export const CERTIFICATES_GROUP = "certificates.k8s.io";
export const REQUESTS = "certificatesigningrequests";

/** Nothing for other kinds. */
export function certificateRules(resource: BuiltinResource): BuiltinTypeOptions {
  if (resource.group !== CERTIFICATES_GROUP || resource.plural !== REQUESTS) return {};
  const doors = { status: door("status", prepareCsrStatus), approval: door("approval", prepareCsrApproval) };
  const rules: Partial<KindRules> = {
    prepareCreate: (object, { system, user }) => {
      const prepared = resource.prepareCreate(object, { now: system.now, clusterIp: () => "", nodePort: () => 0 });
      return withRequester(prepared, user);
    },
  };
  return { rules, doors };
}

type Prepare = (csr: JsonObject, old: JsonObject, now: string) => JsonObject;

function door(name: CsrDoor, prepare: Prepare): Pick<KindRules, "prepareUpdate" | "validateUpdate"> {
  return {
    prepareUpdate: (object, old, { system }) => prepare(object, old, system.now()),
    validateUpdate: (object, old) => [...validateCsrUpdate(object, old, name), ...judgeMetaAgain(object, old)],
  };
}
