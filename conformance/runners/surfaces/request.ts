/** Recorded requests under policies, for surfaces that review manifests. */
import type { RequestCase } from "../policy/request-case.ts";
import type { Outcome } from "../vectors/vector.ts";

/** Why a manifest cannot stand for the request; undefined where it can. */
export function requestReason({ request, policies }: RequestCase): string | undefined {
  const { operation, subresource, name } = request;
  if (operation === "CONNECT") return "requests to connect";
  if (subresource !== "") return "subresources: a manifest is a whole object";
  if (operation === "DELETE" && name === "") return "deletes of collections";
  // All were recorded as dry runs.
  if (/request\.(dryRun|options)/.test(JSON.stringify(policies))) return "HTTP: options and paths of the request";
  return undefined;
}

/** The recorded answer to a request in the form of the others. */
export function wantedRequest({ expect }: RequestCase): Outcome {
  const { code = 200, reason, message, warnings } = expect;
  return { code, ...(reason !== undefined && { reason, message: message ?? "" }), warnings };
}
