/**
 * What kubectl prints for a response.
 *
 * It rewrites refusals with reason Invalid from their causes, which leaves a lone colon if a policy's cause has no
 * field. It names the file only for other refusals. Follows kubectl pkg/cmd/util/helpers.go.
 */
import type { AdmissionAttributes } from "@portcullis/engine/internal/policy/attributes";
import type { PolicyVerdict } from "@portcullis/engine/internal/policy/dispatch";
import type { StatusError } from "@portcullis/engine/internal/status/error";

/** The part of a response that is printed. */
export type Answered = Pick<PolicyVerdict, "warnings" | "error">;
/** The part of a request that is named. */
export type Written = Pick<
  AdmissionAttributes,
  "operation" | "resource" | "kind" | "name" | "namespace" | "subresource"
>;

/** All lines, warnings first. `file` is where the object came from. */
export function kubectlLines(verdict: Answered, attributes: Written, file?: string): string[] {
  const warnings = [...new Set(verdict.warnings)].map((text) => `Warning: ${text}`);
  const { error } = verdict;
  return [...warnings, error === undefined ? success(attributes) : failure(error, attributes, file)];
}

const ACTIONS = { CREATE: "creating", UPDATE: "replacing", DELETE: "deleting", CONNECT: undefined };

function failure(error: StatusError, { operation }: Written, file: string | undefined): string {
  const { reason, details, message } = error;
  if (reason === "Invalid" && details !== undefined) {
    const causes = (details.causes ?? []).map((cause) => `${cause.field}: ${cause.message}`);
    const head = `The ${details.kind ?? ""} ${quote(details.name ?? "")} is invalid`;
    const unique = [...new Set(causes)];
    return unique.length <= 1
      ? `${head}: ${unique.join("")}`
      : [`${head}: `, ...unique.map((each) => `* ${each}`)].join("\n");
  }
  if (reason === "Unauthorized") return `error: You must be logged in to the server (${message})`;
  const action = ACTIONS[operation];
  const source = file === undefined || action === undefined ? "" : `error when ${action} ${quote(file)}: `;
  return `Error from server${reason === "" ? "" : ` (${reason})`}: ${source}${message}`;
}

const DONE = { CREATE: "created", UPDATE: "replaced" };

function success({ operation, resource, kind, name, namespace, subresource }: Written): string {
  const type = [kind.kind.toLowerCase(), resource.group].filter((part) => part !== "").join(".");
  if (operation === "CONNECT") return `${resource.resource}/${name} ${subresource}: allowed`;
  if (operation !== "DELETE") return `${type}/${name} ${DONE[operation]} (server dry run)`;
  const isNamespaced = namespace !== "" && resource.resource !== "namespaces";
  const place = isNamespaced ? ` from ${namespace} namespace` : "";
  return `${type} ${quote(name)} deleted${place} (server dry run)`;
}

/** Names and paths need only the escapes of JSON. */
function quote(text: string): string {
  return JSON.stringify(text);
}
