/** Downloads a URL completely, with limits on time and size. */
import { UsageError } from "@portcullis/checker/internal/input/usage-error";

const MAX_BYTES = 1 << 28;
const TIMEOUT_MS = 60_000;

export async function download(url: string, signal?: AbortSignal | undefined): Promise<Uint8Array> {
  const limit = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const response = await fetch(url, {
      headers: { "user-agent": "portcullis" },
      signal: signal === undefined ? limit : AbortSignal.any([limit, signal]),
    });
    if (!response.ok) throw new UsageError(`\`${url}\`: the server answered ${response.status} ${response.statusText}`);
    return await readLimited(response, url);
  } catch (problem) {
    if (problem instanceof UsageError || !(problem instanceof Error)) throw problem;
    throw new UsageError(`\`${url}\` cannot be read: ${reasonOf(problem)}`);
  }
}

async function readLimited(response: Response, url: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new UsageError(`\`${url}\` has more than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Node wraps errors of the network. */
function reasonOf(problem: Error): string {
  if (problem.name === "TimeoutError") return `no answer in ${TIMEOUT_MS / 1000} seconds`;
  return problem.cause instanceof Error && problem.cause.message !== "" ? problem.cause.message : problem.message;
}
