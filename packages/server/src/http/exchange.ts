/**
 * A request and its answer, whatever carries them. Headers are a list because `Warning` is sent once for each warning,
 * which the Headers of the fetch API cannot say.
 */

export interface ApiRequest {
  readonly method: string;
  /** Path and query as sent. */
  readonly target: string;
  /** By lower-case name; the first of several. */
  header(name: string): string | undefined;
  /** All of several, by lower-case name. */
  headerValues(name: string): readonly string[];
  /** In lower case, each once. */
  headerNames(): readonly string[];
  /** The whole body. Rejects with `BodyTooLarge` as soon as the limit is passed. */
  readBody(limit: number): Promise<Uint8Array>;
  /** The subject of a client certificate, and who has signed it. */
  readonly peer?: PeerCertificate | undefined;
  /** Where it comes from, for the audit log. */
  readonly address?: string | undefined;
}

export interface PeerCertificate {
  readonly commonName: string;
  readonly organizations: readonly string[];
  /** Whether a CA for clients has signed it; undefined if there are no such CAs. */
  readonly isClient: boolean | undefined;
  /** Whether a CA for proxies that authenticate users has signed it. */
  readonly isProxy: boolean;
  /** When the certificate expires, in milliseconds since 1970. */
  readonly expires?: number;
}

export class BodyTooLarge extends Error {
  override readonly name = "BodyTooLarge";
}

/** The client disconnected during its request: not a bug, and nobody reads the response. */
export class ClientGone extends Error {
  override readonly name = "ClientGone";
}

export type HeaderList = readonly (readonly [name: string, value: string])[];

/** An answer before it is written to a connection. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: HeaderList;
  readonly body: string | Uint8Array | StreamBody;
}

/** A body that is sent as it is made; if it does not end by itself, until either side ends it. */
export interface StreamBody {
  /** Called once, after the headers have been sent. */
  start(sink: StreamSink): void;
  /** The client has gone. */
  cancel(): void;
  /** Resolves when what there was at the start has been sent, or will not be; at once where absent. */
  readonly initialized?: Promise<void>;
  /** A long answer, not a watch. Its request is over when it has been sent. */
  readonly isAnswer?: boolean;
}

export interface StreamSink {
  write(part: string | Uint8Array): void;
  /** Bytes written that the client has not taken yet. */
  pending(): number;
  /** Resolves when the client has taken what was written, or has gone. */
  drained(): Promise<void>;
  end(): void;
  /** Ends it without what the client has not taken yet. */
  cut(): void;
}

/** The same body; `ended` is called once, when either side has ended it. */
export function whenEnded(body: StreamBody, ended: () => void): StreamBody {
  let isOpen = true;
  const close = (): void => {
    if (isOpen) ended();
    isOpen = false;
  };
  return {
    ...body,
    start: (sink) => {
      body.start({
        ...boundSink(sink),
        end: () => {
          close();
          sink.end();
        },
        cut: () => {
          close();
          sink.cut();
        },
      });
    },
    cancel: () => {
      close();
      body.cancel();
    },
  };
}

function boundSink(sink: StreamSink): StreamSink {
  return {
    write: (part) => sink.write(part),
    pending: () => sink.pending(),
    drained: () => sink.drained(),
    end: () => sink.end(),
    cut: () => sink.cut(),
  };
}

/** The same body; `seen` is called with each part. */
export function whenWritten(body: StreamBody, seen: (part: string | Uint8Array) => void): StreamBody {
  const start = (sink: StreamSink): void => {
    const write = (part: string | Uint8Array): void => {
      seen(part);
      sink.write(part);
    };
    body.start({ ...boundSink(sink), write });
  };
  return { ...body, start };
}

export function isStream(body: ApiResponse["body"]): body is StreamBody {
  return typeof body === "object" && "start" in body;
}
