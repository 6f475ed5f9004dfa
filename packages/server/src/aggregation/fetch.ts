/** Reads documents of extension API servers, as upstream's aggregator does: with its own name, as an administrator. */
import { decodeJson } from "@portcullis/engine/internal/codec/json";
import { MASTERS, type User } from "@portcullis/engine/internal/rbac/user";
import { isObject, type JsonObject } from "@portcullis/engine/internal/value/json";
import type { ResolveService } from "../conversion/services.ts";
import type { RemoteService } from "./api-services.ts";
import { addressOf, identityHeaders } from "./proxy.ts";
import type { CallExtension } from "./transport.ts";

export const KUBE_AGGREGATOR: User = {
  name: "system:kube-aggregator",
  uid: "",
  groups: [MASTERS],
  extra: new Map(),
};

export interface FetchOptions {
  readonly call: CallExtension;
  readonly resolve: ResolveService;
}

export interface Fetched {
  readonly status: number;
  readonly contentType: string;
  /** Undefined where the body is not an object. */
  readonly object: JsonObject | undefined;
}

const [TIMEOUT_MS, MAX_BYTES] = [5_000, 16 * 1024 * 1024];

/** Rejects where there is no answer. */
export async function fetchDocument(
  remote: RemoteService,
  document: { readonly target: string; readonly accept: string },
  { call, resolve }: FetchOptions,
): Promise<Fetched> {
  const { status, headers, read } = await call({
    ...addressOf(remote, await resolve(remote.service)),
    method: "GET",
    target: document.target,
    headers: [["Accept", document.accept], ...identityHeaders(KUBE_AGGREGATOR)],
    timeoutMs: TIMEOUT_MS,
  });
  const contentType = headers.find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? "";
  const decoded = decodeJson(new TextDecoder().decode(await read(MAX_BYTES)));
  const object = decoded.error === undefined && isObject(decoded.value) ? decoded.value : undefined;
  return { status, contentType, object };
}
