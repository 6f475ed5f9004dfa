/** The answer to a request that its user may not make. */

import type { Attributes } from "@portcullis/engine/review/authorizer";
import { forbidden, type StatusError } from "@portcullis/engine/status/error";
import { cannot } from "./messages.ts";

/** The reason is what authorizers have to say, if anything. */
export function refusal(attributes: Attributes, reason: string): StatusError {
  const { group, resource, name } = attributes;
  const cause = reason === "" ? cannot(attributes) : `${cannot(attributes)}: ${reason}`;
  return forbidden({ group, resource }, name, cause);
}
