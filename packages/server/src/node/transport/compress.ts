/**
 * Compresses large answers for clients that accept gzip. Follows apiserver pkg/endpoints/handlers/responsewriters: from
 * 128 KiB on, at the fastest level. Runs on Node's thread pool, so that other requests are served meanwhile; piece by
 * piece, and few at once, so that threads which compress do not take the processor from the one that serves.
 */
import { availableParallelism } from "node:os";
import { constants, createGzip, type Gzip } from "node:zlib";
import { type ApiResponse, isStream, type StreamBody, type StreamSink } from "../../http/exchange.ts";

const THRESHOLD = 128 * 1024;
const COMPRESSIBLE = /^application\/(json|yaml|vnd\.kubernetes\.protobuf)/;

const PIECE = 256 * 1024;

/** The same answer where it is small, continues, or is not an object. */
export async function compressed(response: ApiResponse, acceptEncoding: string | undefined): Promise<ApiResponse> {
  const { body, headers } = response;
  // An answer that is sent as it is made is long.
  const isLong = isStream(body) ? body.isAnswer === true : body.length > THRESHOLD;
  if (!isLong || !acceptsGzip(acceptEncoding)) return response;
  if (!headers.some(([name, value]) => name === "Content-Type" && COMPRESSIBLE.test(value))) return response;
  if (headers.some(([name]) => name === "Content-Encoding")) return response;
  return {
    ...response,
    headers: [...headers, ["Content-Encoding", "gzip"], ["Vary", "Accept-Encoding"]],
    body: isStream(body) ? packedStream(body) : await compress(bytesOf(body)),
  };
}

function bytesOf(part: string | Uint8Array): Uint8Array {
  return typeof part === "string" ? Buffer.from(part) : part;
}

const newGzip = (): Gzip => createGzip({ level: constants.Z_BEST_SPEED });

/** Pieces are compressed one after the other; the next is made when the client has taken the last. */
function packedStream(body: StreamBody): StreamBody {
  const gzip = newGzip();
  const start = (sink: StreamSink): void => {
    let writing = Promise.resolve();
    const cut = (): void => {
      gzip.destroy();
      sink.cut();
    };
    gzip.on("data", (chunk: Buffer) => sink.write(chunk));
    gzip.once("end", () => sink.end()).once("error", cut);
    body.start({
      write: (part) => {
        writing = writing.then(() => inTurn(() => written(gzip, bytesOf(part))));
        // The stream itself reports that it has failed.
        writing.catch(() => {});
      },
      pending: () => sink.pending(),
      drained: () => writing.then(() => sink.drained()),
      end: () => void writing.then(() => gzip.end(), cut),
      cut,
    });
  };
  const cancel = (): void => {
    gzip.destroy();
    body.cancel();
  };
  return { ...body, start, cancel };
}

async function compress(body: Uint8Array): Promise<Buffer> {
  const gzip = newGzip();
  const packed: Buffer[] = [];
  gzip.on("data", (chunk: Buffer) => packed.push(chunk));
  const ended = new Promise<void>((resolve, reject) => gzip.once("end", resolve).once("error", reject));
  for (let at = 0; at < body.length; at += PIECE) {
    await inTurn(() => written(gzip, body.subarray(at, at + PIECE)));
  }
  gzip.end();
  await ended;
  return Buffer.concat(packed);
}

function written(gzip: Gzip, piece: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    gzip.write(piece, (error) => (error ? reject(error) : resolve()));
  });
}

/** One processor is left to serve. */
let free = Math.max(1, availableParallelism() - 1);
const waiting: (() => void)[] = [];

async function inTurn(work: () => Promise<void>): Promise<void> {
  if (free > 0) free--;
  else await new Promise<void>((resolve) => waiting.push(resolve));
  try {
    await work();
  } finally {
    const next = waiting.shift();
    if (next === undefined) free++;
    else next();
  }
}

function acceptsGzip(header: string | undefined): boolean {
  return (header ?? "").split(",").some((part) => part.split(";")[0]?.trim() === "gzip");
}
