/** Recorded requests under policies, for surfaces that review manifests. */
import type { RequestCase } from "../policy/request-case.ts";
import type { Outcome } from "../vectors/vector.ts";

/** Why a manifest cannot stand for the request; undefined where it can. */
export function requestReason({ request }: RequestCase): string | undefined {
  const { operation, subresource } = request;
  if (operation === "CONNECT") return "requests to connect";
  if (subresource !== "") return "subresources: a manifest is a whole object";
  return undefined;
}

/** The recorded answer to a request in the form of the others. */
export function wantedRequest({ expect }: RequestCase): Outcome {
  const { code = 200, reason, message, warnings } = expect;
  return { code, ...(reason !== undefined && { reason, message: message ?? "" }), warnings };
}
