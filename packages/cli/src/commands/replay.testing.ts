/** Audit events as an API server writes them, and what replay prints about each. */
import { runCommand } from "./commands.testing.ts";
import { replay } from "./replay.ts";

export interface EventParts {
  readonly id: string;
  readonly verb?: string;
  readonly code?: number;
  readonly level?: string;
  readonly stage?: string;
  readonly message?: string;
  /** Seconds; the request took a tenth of one unless `from` says otherwise. */
  readonly at?: number;
  readonly from?: number;
  readonly ref?: object;
  readonly query?: string;
  readonly user?: string;
  readonly request?: object | undefined;
  readonly response?: object | undefined;
}

export const time = (seconds: number): string =>
  new Date(1_790_000_000_000 + seconds * 1000).toISOString().replace("Z", "000Z");

/** An event as an API server writes it, on one line. */
export function event(parts: EventParts): string {
  const { id, verb = "create", code = verb === "create" ? 201 : 200, level = "RequestResponse", at = 10 } = parts;
  const ref = { resource: "configmaps", namespace: "team", name: "m", apiVersion: "v1", ...parts.ref };
  return JSON.stringify({
    kind: "Event",
    apiVersion: "audit.k8s.io/v1",
    level,
    auditID: id,
    stage: parts.stage ?? "ResponseComplete",
    requestURI: `/api/v1/namespaces/team/configmaps${parts.query ?? ""}`,
    verb,
    user: { username: parts.user ?? "alice", groups: ["system:authenticated"] },
    userAgent: "kubectl/v1.36.0",
    objectRef: ref,
    responseStatus: { metadata: {}, code, ...(parts.message !== undefined && { message: parts.message }) },
    ...(parts.request !== undefined && { requestObject: parts.request }),
    ...(parts.response !== undefined && { responseObject: parts.response }),
    requestReceivedTimestamp: time(parts.from ?? at - 0.1),
    stageTimestamp: time(at),
    annotations: { "authorization.k8s.io/decision": "allow" },
  });
}

export function map(version: number, data: object, labels?: object): object {
  const metadata = { name: "m", namespace: "team", uid: "u", resourceVersion: `${version}`, ...(labels && { labels }) };
  return { kind: "ConfigMap", apiVersion: "v1", metadata, data };
}

export const created = (id: string, parts: Partial<EventParts> = {}): string => {
  const object = map(1, { tier: "1" });
  return event({ id, request: object, response: object, ...parts });
};

export interface Line {
  readonly auditID: string;
  readonly decision: string;
  readonly why?: string;
  readonly denied?: string[];
}

export async function lines(args: readonly string[], files: Readonly<Record<string, string>>): Promise<Line[]> {
  const { stdout } = await runCommand(replay, [...args, "-o", "jsonl"], files);
  return stdout
    .split("\n")
    .filter((line) => line !== "")
    .map((line): Line => JSON.parse(line));
}
