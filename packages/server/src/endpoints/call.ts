/** One request on its way through the endpoints. */

import { managerName } from "@portcullis/engine/apply/manager-name";
import { checkPathSegment } from "@portcullis/engine/field/names";
import { badRequest } from "@portcullis/engine/status/error";
import { newObject } from "@portcullis/engine/value/json";
import { decodeUtf8, isAscii } from "@portcullis/gostd/utf8";
import type { User } from "../auth/user.ts";
import type { Annotate, ServerContext, WriteCall } from "../registry/context.ts";
import { nameParameterInvalid } from "../registry/messages.ts";
import type { Endpoint } from "../registry/resource-type.ts";
import type { ApiRequest } from "./exchange.ts";
import * as messages from "./messages.ts";
import type { WriteOptions } from "./options.ts";
import type { RequestInfo } from "./request-info.ts";
import type { Warnings } from "./warnings.ts";

export interface Call {
  readonly server: ServerContext;
  readonly request: ApiRequest;
  readonly info: RequestInfo;
  readonly user: User;
  readonly endpoint: Endpoint;
  readonly warnings: Warnings;
  /** Puts something into the request's audit event, from the given audit level on. What is there stays. */
  readonly annotate: Annotate;
  /** When the request must be answered, in milliseconds since 1970. */
  readonly deadline: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export function nameOf({ info }: Call): string {
  const name = info.name;
  if (name === "") throw badRequest(messages.nameMissing());
  return name;
}

/**
 * Names that cannot be part of a path were never stored, and asking for one is a mistake. Upstream notices it when it
 * makes the key, which is after everything has been read that comes with the request.
 */
export function checkKey({ endpoint, info }: Call): void {
  if (endpoint.type.namespaced && info.namespace === "") throw badRequest(messages.namespaceRequired());
  const problems = checkPathSegment(info.name, false);
  if (problems.length > 0) throw badRequest(nameParameterInvalid(info.name, problems));
}

export function writeCall(call: Call, options: WriteOptions): WriteCall {
  const { server, endpoint, info, user, request, warnings, annotate } = call;
  return {
    server,
    endpoint,
    namespace: endpoint.type.namespaced ? info.namespace : "",
    user,
    manager: managerOf(options.fieldManager, request.header("user-agent") ?? ""),
    fieldValidation: options.fieldValidation,
    isDryRun: options.isDryRun,
    deadline: call.deadline,
    options: options.json,
    warn: warnings.add,
    annotate,
  };
}

export function deleteCall(call: Call, isDryRun: boolean, json = newObject()): WriteCall {
  const options = { isDryRun, fieldManager: "", fieldValidation: "Ignore", force: undefined, json } as const;
  return writeCall(call, options);
}

/** Who does not say who they are is known by the program they use. A header comes as bytes, one for each character. */
function managerOf(fieldManager: string, userAgent: string): string {
  const agent = isAscii(userAgent) ? userAgent : decodeUtf8(Uint8Array.from(userAgent, (char) => char.charCodeAt(0)));
  return managerName(fieldManager, agent) || "unknown";
}
