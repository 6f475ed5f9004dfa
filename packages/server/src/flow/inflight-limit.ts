/**
 * A plain limit for reads and one for writes, for servers without priority levels.
 *
 * Follows apiserver pkg/server/filters/maxinflight.go.
 */
import type { User } from "@portcullis/engine/internal/rbac/user";
import { respondText } from "../endpoints/respond.ts";
import { type ApiResponse, isStream, whenEnded } from "../http/exchange.ts";
import type { RequestInfo } from "../http/request-info.ts";
import { isLongRunning } from "./classify.ts";
import * as messages from "./messages.ts";

/** How many requests run at the same time; 0 is unlimited. */
export interface InflightLimits {
  readonly readOnly: number;
  readonly mutating: number;
}

/** Their requests are always answered. */
const PRIVILEGED = "system:masters";
const READS: ReadonlySet<string> = new Set(["get", "list", "watch"]);

export class InflightLimit {
  readonly #limits: InflightLimits;
  readonly #running = { readOnly: 0, mutating: 0 };

  constructor(limits: InflightLimits) {
    this.#limits = limits;
  }

  async run(info: RequestInfo, user: User, work: () => Promise<ApiResponse>): Promise<ApiResponse> {
    if (info.verb === "watch" || isLongRunning(info)) return work();
    const kind = READS.has(info.verb) ? "readOnly" : "mutating";
    const limit = this.#limits[kind];
    if (limit === 0) return work();
    if (this.#running[kind] >= limit) return user.groups.includes(PRIVILEGED) ? work() : refuse();
    this.#running[kind]++;
    const leave = (): void => {
      this.#running[kind]--;
    };
    let response: ApiResponse;
    try {
      response = await work();
    } catch (error) {
      leave();
      throw error;
    }
    const { body } = response;
    if (isStream(body) && body.isAnswer) return { ...response, body: whenEnded(body, leave) };
    leave();
    return response;
  }
}

function refuse(): ApiResponse {
  return respondText(429, messages.tooManyRequests(), [["Retry-After", "1"]]);
}
