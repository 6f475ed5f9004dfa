/** What kubectl prints about CRDs and objects, derived from the findings of the command line. */

import { kubectlLines } from "@portcullis/checker/internal/policy/kubectl";
import type { Finding } from "@portcullis/checker/internal/report/finding";
import type { ManifestDocument } from "@portcullis/checker/internal/report/manifest";
import { strictDecoding } from "@portcullis/engine/internal/codec/messages";
import type { Operation } from "@portcullis/engine/internal/policy/attributes";
import { cannotHandle } from "@portcullis/engine/internal/review/messages";
import { badRequest, StatusError } from "@portcullis/engine/internal/status/error";
import type { Transcript } from "./outcome.ts";

const VERBS: Readonly<Record<Operation, string>> = {
  CREATE: "create",
  UPDATE: "replace",
  DELETE: "delete",
  CONNECT: "exec",
};

export function kubectlCommand(operation: Operation, file: string, subresource = ""): string {
  if (operation === "CONNECT") return `kubectl ${subresource === "" ? "exec" : subresource} …`;
  const part = subresource === "" ? "" : ` --subresource=${subresource}`;
  return `kubectl ${VERBS[operation]} --dry-run=server${part} -f ${file}`;
}

export interface Write {
  readonly document: ManifestDocument;
  readonly operation: "CREATE" | "UPDATE";
  readonly resource: string;
  readonly file: string;
}

export function transcript(write: Write, error: StatusError | undefined, warnings: readonly string[]): Transcript {
  const { document, operation, resource, file } = write;
  const { apiVersion, kind, name, namespace } = document.id;
  const [group, version] = apiVersion.includes("/") ? apiVersion.split("/", 2) : ["", apiVersion];
  const gvk = { group: group ?? "", version: version ?? "", kind };
  const written = {
    operation,
    resource: { ...gvk, resource },
    kind: gvk,
    name,
    namespace,
    subresource: "",
  };
  return {
    command: kubectlCommand(operation, file),
    output: kubectlLines({ warnings, error }, written, file).join("\n"),
    isRefusal: error !== undefined,
  };
}

/** The refusal that the findings lead to: decoding errors come before validation errors. */
export function refusalOf(findings: readonly Finding[], { id }: ManifestDocument): StatusError | undefined {
  const errors = findings.filter(({ severity }) => severity === "error");
  if (errors.length === 0) return undefined;
  const version = id.apiVersion.slice(id.apiVersion.indexOf("/") + 1);
  const broken = errors.find(({ rule }) => rule === "decode");
  if (broken !== undefined) return badRequest(broken.message);
  const strict = errors.filter(({ rule }) => rule.startsWith("field/"));
  if (strict.length > 0) {
    return badRequest(cannotHandle(id.kind, version, id.kind, strictDecoding(strict.map(({ message }) => message))));
  }
  const causes = errors.map(({ path, message }) => splitCause(path, message));
  const details = { name: id.name, kind: id.kind, causes };
  return new StatusError({ code: 422, reason: "Invalid", message: causes.map(String).join(", "), details });
}

/** The message of a finding starts with its path as the API server prints it. */
function splitCause(path: string, message: string): { type: string; field: string; message: string } {
  const colon = message.indexOf(": ");
  const field = message.startsWith(`${path}: `) ? path : message.slice(0, Math.max(colon, 0));
  return { type: "", field, message: message.slice(field.length + 2) };
}
