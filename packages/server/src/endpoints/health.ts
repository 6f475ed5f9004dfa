/**
 * `/livez`, `/readyz` and `/healthz`: whether the server is there, whether its store answers, whether it is about to stop.
 *
 * Follows apiserver pkg/server/healthz: one check by its name, all of them otherwise; details only where they are asked for
 * or something is wrong, and then without the reason.
 */
import type { ApiResponse } from "../http/exchange.ts";
import type { RequestInfo } from "../http/request-info.ts";
import type { Followers } from "../storage/followers.ts";
import type { Store } from "../storage/store.ts";
import { COMMON_HEADERS, respondNoPage, respondText } from "./respond.ts";

export interface HealthOptions {
  readonly store: Store;
  readonly followers: Followers;
  /** Whether it is shutting down: it still serves requests, but should get no new ones. */
  readonly isStopping: () => boolean;
  /** Counts each result of a list of checks; one check by its name is not counted. */
  readonly checked: (name: string, endpoint: string, isWell: boolean) => void;
}

/** A text names what is wrong; false withholds it. */
type Check = (options: HealthOptions) => Promise<boolean> | boolean | string;

const ALWAYS: Check = () => true;
const STORE_MS = 2_000;

const CHECKS: Readonly<Record<string, Check>> = { ping: ALWAYS, log: ALWAYS, etcd: isStoreThere };
const READY_CHECKS: Readonly<Record<string, Check>> = {
  ...CHECKS,
  "etcd-readiness": takesWrites,
  "informer-sync": checkFollowers,
  shutdown: ({ isStopping }) => !isStopping(),
};

/** The checks of `/readyz/NAME` and similar paths. */
export function checkNames(endpoint: string): string[] {
  return Object.keys(endpoint === "readyz" ? READY_CHECKS : CHECKS);
}

const HEALTH_PATH = /^\/(livez|readyz|healthz)(?:\/(.*))?$/;

export function isHealthPath(path: string): boolean {
  return HEALTH_PATH.test(path);
}

/** Undefined if the path is another. */
export async function respondHealth(
  { path, query }: RequestInfo,
  options: HealthOptions,
): Promise<ApiResponse | undefined> {
  const [, endpoint = "", name] = HEALTH_PATH.exec(path) ?? [];
  if (endpoint === "") return undefined;
  const checks = endpoint === "readyz" ? READY_CHECKS : CHECKS;
  if (name !== undefined) return respondOne(checks[name], options);
  const excluded = new Set(query.get("exclude") ?? []);
  const lines: string[] = [];
  let isWell = true;
  for (const [each, check] of Object.entries(checks)) {
    const isExcluded = excluded.delete(each);
    const result = isExcluded || (await check(options));
    if (!isExcluded) options.checked(each, endpoint, result === true);
    isWell &&= result === true;
    const reason = typeof result === "string" ? result : "reason withheld";
    lines.push(
      isExcluded ? `[+]${each} excluded: ok` : result === true ? `[+]${each} ok` : `[-]${each} failed: ${reason}`,
    );
  }
  if (excluded.size > 0) lines.push(unmatched([...excluded]));
  if (!isWell) return respondText(500, `${lines.join("\n")}\n${endpoint} check failed\n`);
  return respondText(200, query.has("verbose") ? `${lines.join("\n")}\n${endpoint} check passed\n` : "ok");
}

async function respondOne(check: Check | undefined, options: HealthOptions): Promise<ApiResponse> {
  if (check === undefined) return respondNoPage();
  return (await check(options)) === true ? OK : respondText(500, "internal server error: reason withheld\n");
}

/** Go's handler of one check sets no header of its own. */
const OK: ApiResponse = {
  status: 200,
  headers: [...COMMON_HEADERS, ["Content-Type", "text/plain; charset=utf-8"]],
  body: "ok",
};

function unmatched(names: readonly string[]): string {
  const listed = names.map((name) => JSON.stringify(name)).join(",");
  return `warn: some health checks cannot be excluded: no matches for ${listed}`;
}

/** Unlike upstream it names those that are behind: they are no secret, and an operator needs them. */
function checkFollowers({ followers }: HealthOptions): true | string {
  const { unsynced } = followers;
  return unsynced.length === 0 || `${unsynced.length} informers not started yet: [${unsynced.join(" ")}]`;
}

/** A store that does not answer soon does not answer. */
export function isStoreThere({ store }: Pick<HealthOptions, "store">): Promise<boolean> {
  return answersSoon(store, (each) => each.revision());
}

/** Restarting the server makes no room on a full disk, so that this is no matter of `/livez`. */
function takesWrites({ store }: HealthOptions): Promise<boolean> {
  return answersSoon(store, async (each) => each.checkWrites?.());
}

async function answersSoon(store: Store, ask: (store: Store) => Promise<unknown>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeIsUp = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), STORE_MS);
  });
  const answered = ask(store).then(
    () => true,
    () => false,
  );
  try {
    return await Promise.race([answered, timeIsUp]);
  } finally {
    clearTimeout(timer);
  }
}
