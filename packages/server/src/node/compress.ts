/**
 * Compresses large answers for clients that accept gzip. Follows apiserver pkg/endpoints/handlers/responsewriters: from
 * 128 KiB on, at the fastest level. Runs on Node's thread pool, so that other requests are served meanwhile.
 */
import { promisify } from "node:util";
import { constants, gzip } from "node:zlib";
import type { ApiResponse } from "../http/exchange.ts";
import { isStream } from "../http/exchange.ts";

const THRESHOLD = 128 * 1024;
const COMPRESSIBLE = /^application\/(json|yaml|vnd\.kubernetes\.protobuf)/;

const compress = promisify(gzip);

/** The same answer where it is small, continues, or is not an object. */
export async function compressed(response: ApiResponse, acceptEncoding: string | undefined): Promise<ApiResponse> {
  const { body, headers } = response;
  if (isStream(body) || body.length <= THRESHOLD || !acceptsGzip(acceptEncoding)) return response;
  if (!headers.some(([name, value]) => name === "Content-Type" && COMPRESSIBLE.test(value))) return response;
  if (headers.some(([name]) => name === "Content-Encoding")) return response;
  const packed = await compress(body, { level: constants.Z_BEST_SPEED });
  return {
    ...response,
    headers: [...headers, ["Content-Encoding", "gzip"], ["Vary", "Accept-Encoding"]],
    body: packed,
  };
}

function acceptsGzip(header: string | undefined): boolean {
  return (header ?? "").split(",").some((part) => part.split(";")[0]?.trim() === "gzip");
}
