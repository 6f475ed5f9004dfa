/** `/debug/pprof`: where the processor time of the server goes. Follows Go's net/http/pprof. */
import type { ApiResponse } from "../http/exchange.ts";
import type { RequestInfo } from "../http/request-info.ts";
import { COMMON_HEADERS, respondText } from "./respond.ts";

/** Undefined if another profile is being recorded. */
export type RecordProfile = (seconds: number) => Promise<Uint8Array | undefined>;

const DEFAULT_SECONDS = 30;
const PATH = "/debug/pprof/profile";
const INDEX = /^\/debug\/pprof\/?$/;

/** Undefined for other paths. `seconds` is what is left of the request's time. */
export async function respondProfile(
  { path, query }: RequestInfo,
  record: RecordProfile | undefined,
  seconds: number,
): Promise<ApiResponse | undefined> {
  if (record === undefined) return undefined;
  if (INDEX.test(path)) return respondText(200, `${PATH}?seconds=${DEFAULT_SECONDS}\n`);
  if (path !== PATH) return undefined;
  const asked = Math.trunc(Number(query.get("seconds")?.[0] ?? 0));
  const wanted = asked > 0 ? asked : DEFAULT_SECONDS;
  if (wanted >= seconds) return respondText(400, "profile duration exceeds server's WriteTimeout\n");
  const body = await record(wanted);
  if (body === undefined) {
    return respondText(500, "Could not enable CPU profiling: cpu profiling already in use\n");
  }
  const headers = [
    ["Content-Type", "application/octet-stream"],
    ["Content-Disposition", 'attachment; filename="profile"'],
    ["X-Content-Type-Options", "nosniff"],
  ] as const;
  return { status: 200, headers: [...COMMON_HEADERS, ...headers], body };
}
