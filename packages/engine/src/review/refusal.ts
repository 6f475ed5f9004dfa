/** The answer to a request that its user may not make. */

import { forbidden, type StatusError } from "../status/error.ts";
import type { Attributes } from "./authorizer.ts";
import { cannot } from "./messages.ts";

/** The reason is what authorizers have to say, if anything. */
export function forbiddenTo(attributes: Attributes, reason: string): StatusError {
  const { group, resource, name } = attributes;
  const cause = reason === "" ? cannot(attributes) : `${cannot(attributes)}: ${reason}`;
  return forbidden({ group, resource }, name, cause);
}
