/** How the server reaches extension API servers. The transport is passed in; without one, none is available. */
import type { HeaderList, StreamBody } from "../http/exchange.ts";

/** A request to an extension API server. */
export interface ExtensionRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: HeaderList;
  readonly body?: Uint8Array | undefined;
  /** Where to connect to. */
  readonly connect: { readonly host: string; readonly port: number };
  /** The name that the certificate must be valid for. */
  readonly serverName: string;
  /** The authorities to trust, in PEM; those of the system where undefined. */
  readonly ca: string | undefined;
  readonly isInsecure: boolean;
  /** Until the head of the answer is there; unlimited where absent. */
  readonly timeoutMs?: number | undefined;
}

/** The head of an answer, and its body, which is taken once: as a stream or as a whole. */
export interface ExtensionAnswer {
  readonly status: number;
  readonly headers: HeaderList;
  readonly stream: StreamBody;
  /** Rejects with `ExtensionUnreachable` where the body is larger than the limit or breaks off. */
  read(limit: number): Promise<Uint8Array>;
}

/** Rejects with `ExtensionUnreachable` where there is no answer. */
export type CallExtension = (request: ExtensionRequest) => Promise<ExtensionAnswer>;

/** The message gives the reason as Go's HTTP client does. */
export class ExtensionUnreachable extends Error {
  override readonly name = "ExtensionUnreachable";
}
