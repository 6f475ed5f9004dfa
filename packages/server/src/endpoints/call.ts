/** One request on its way through the endpoints. */

import { managerName } from "@portcullis/engine/internal/apply/managers/manager-name";
import type { User } from "@portcullis/engine/internal/rbac/user";
import type { Annotate } from "@portcullis/engine/internal/review/cluster-view";
import { type Endpoint, rulesOf } from "@portcullis/engine/internal/review/kind";
import { nameMissing } from "@portcullis/engine/internal/review/messages";
import type { Write } from "@portcullis/engine/internal/review/write";
import { badRequest, timeout } from "@portcullis/engine/internal/status/error";
import { asServer } from "@portcullis/engine/internal/value/server-version";
import { decodeUtf8, isAscii } from "@portcullis/gostd/utf8";
import type { ApiRequest } from "../http/exchange.ts";
import type { RequestInfo } from "../http/request-info.ts";
import type { ServerContext, WriteCall } from "../registry/context.ts";
import { type Weigh, weighNothing, weighTime } from "../registry/heavy.ts";
import type { WatchableStore } from "../storage/store.ts";
import * as messages from "./messages.ts";
import type { WriteOptions } from "./options.ts";
import type { Warnings } from "./warnings.ts";

export interface Call {
  readonly server: ServerContext;
  readonly request: ApiRequest;
  readonly info: RequestInfo;
  readonly user: User;
  readonly endpoint: Endpoint;
  readonly warnings: Warnings;
  /** Adds an annotation to the request's audit event, from the given audit level on. The first value of a key stays. */
  readonly annotate: Annotate;
  /** When the request must be answered, in milliseconds since 1970. */
  readonly deadline: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Called between steps that take long: lets other requests run. Throws a StatusError when the time is over. */
  readonly pause: () => Promise<void> | undefined;
  /** Called with the size of the body, for metrics. */
  readonly bodyRead: (size: number) => void;
  /** Called with the size of the body, or of an object that is read. */
  readonly weigh: Weigh;
  /** Whether a long answer may be sent as it is made. */
  readonly takesStreams: boolean;
  /** For a watch that the client asked for: it ends with the client's connection, and the client recovers from gaps. */
  readonly subscribe: WatchableStore["watch"];
}

/** Runs a synchronous function by the rules of the server. */
export function byRules<T>({ endpoint }: Pick<Call, "endpoint">, run: () => T): T {
  return asServer(rulesOf(endpoint), run);
}

export function nameOf({ info }: Call): string {
  const name = info.name;
  if (name === "") throw badRequest(nameMissing());
  return name;
}

/** What all writes of a request have in common. */
export function writeBase(call: Call, options: WriteOptions) {
  const { endpoint, info, user, request, pause } = call;
  return {
    endpoint,
    namespace: endpoint.type.namespaced ? info.namespace : "",
    user,
    manager: managerOf(options.fieldManager, request.header("user-agent") ?? ""),
    fieldValidation: options.fieldValidation,
    isDryRun: options.isDryRun,
    deadline: call.deadline,
    options: options.json,
    pause,
    overrun: overrunOf(call),
  };
}

/** Of a request that cannot begin again on another thread. */
const MOST_SECONDS = 1;

/**
 * Work that cannot pause begins again on another thread, or ends with the request's time. A request that has deleted
 * objects or called webhooks would do so twice.
 */
function overrunOf({ info, weigh, now, deadline }: Call): NonNullable<Write["overrun"]> {
  const moveOn = weighTime(weigh);
  return (seconds, isRepeatable) => {
    if (isRepeatable && info.verb !== "deletecollection") moveOn(seconds);
    else if (weigh !== weighNothing && seconds > MOST_SECONDS) throw timeout(messages.writeTimeout(), 0);
    if (now() >= deadline) throw timeout(messages.writeTimeout(), 0);
  };
}

export function writeCall({ server, warnings, annotate, weigh }: Call): WriteCall {
  return { server, warn: warnings.add, annotate, weigh };
}

/** Clients that give no name are known by their program. A header comes as bytes, one for each character. */
function managerOf(fieldManager: string, userAgent: string): string {
  const agent = isAscii(userAgent) ? userAgent : decodeUtf8(Uint8Array.from(userAgent, (char) => char.charCodeAt(0)));
  return managerName(fieldManager, agent) || "unknown";
}
