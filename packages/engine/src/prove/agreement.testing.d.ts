import type { AdmissionAttributes } from "../policy/attributes.ts";
import type { AdmissionPolicy } from "../policy/policy.ts";
import type { JsonObject } from "../value/json.ts";
/** All outcomes that a proof would think possible; `undefined` stands for what it does not model. */
export declare function modelOutcomes(
  policy: AdmissionPolicy,
  index: number,
  attributes: AdmissionAttributes,
  namespace: JsonObject | undefined,
): (string | undefined)[];
