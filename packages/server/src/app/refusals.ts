/** What a client gets for an error that a request ended with. */
import { bareError, StatusError, serverTimeout, timeout } from "@portcullis/engine/internal/status/error";
import * as messages from "../endpoints/messages.ts";
import { negotiateError } from "../endpoints/negotiate.ts";
import { respondError } from "../endpoints/respond.ts";
import { type ApiRequest, type ApiResponse, ClientGone } from "../http/exchange.ts";
import type { RequestInfo } from "../http/request-info.ts";
import { StoreUnavailable } from "../storage/unavailable.ts";

/** `onDefect` receives errors that are not refusals. */
export function refuse(
  error: unknown,
  request: ApiRequest,
  info: RequestInfo,
  onDefect: (error: unknown) => void,
): ApiResponse {
  const refusal = error instanceof StoreUnavailable ? storageRefusal(error, info) : error;
  if (!(refusal instanceof StatusError) && !(refusal instanceof ClientGone)) onDefect(error);
  return respondError(refusal, negotiateError(request, info));
}

const RETRY_SECONDS = 2;

/**
 * A request that certainly had no effect may be retried, and clients do so if the response has a Retry-After header. If
 * the outcome of a write is unknown, only its client can decide what to do.
 */
function storageRefusal(error: StoreUnavailable, { group, resource, verb }: RequestInfo): StatusError {
  const { definite, needsOperator, message } = error;
  // Upstream forwards what etcd says about its quota.
  if (needsOperator) return bareError(message);
  return definite ? serverTimeout({ group, resource }, verb, RETRY_SECONDS) : timeout(messages.requestTimeout(), 0);
}
