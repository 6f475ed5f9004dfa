/**
 * CONNECT: `exec`, `attach`, `portforward` and `proxy` of pods, services and nodes.
 *
 * Admission runs as in a cluster. No pods run here, so the result is the error that a cluster returns for a pod without
 * a node. Follows apiserver pkg/endpoints/handlers/rest.go and pkg/registry/core/{pod,service,node}.
 */
import * as admission from "@portcullis/engine/internal/review/admission";
import type { Endpoint, Subresource } from "@portcullis/engine/internal/review/kind";
import { OutcomeRecorder } from "@portcullis/engine/internal/review/outcome";
import type { CreateWrite } from "@portcullis/engine/internal/review/write";
import { forbidden } from "@portcullis/engine/internal/status/error";
import { isEnabled } from "@portcullis/engine/internal/value/gates";
import { type JsonObject, newObject } from "@portcullis/engine/internal/value/json";
import { byRules, type Call } from "../endpoints/call.ts";
import * as endpointMessages from "../endpoints/messages.ts";
import { generic } from "../endpoints/routes.ts";
import type { ApiResponse } from "../http/exchange.ts";
import type { RequestInfo } from "../http/request-info.ts";
import type { Registry } from "../registry/registry.ts";
import { refuseConnection } from "./locate.ts";
import { readConnectOptions } from "./options.ts";
import { handleLog } from "./pod-log.ts";

const STREAMING: ReadonlySet<string> = new Set(["GET", "POST"]);
const ANY: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

interface Connection {
  readonly kind: string;
  readonly methods: ReadonlySet<string>;
  /** Whether a path may follow. */
  readonly hasPath: boolean;
}

const CONNECTIONS: Readonly<Record<string, Connection>> = {
  "pods/exec": { kind: "PodExecOptions", methods: STREAMING, hasPath: false },
  "pods/attach": { kind: "PodAttachOptions", methods: STREAMING, hasPath: false },
  "pods/portforward": { kind: "PodPortForwardOptions", methods: STREAMING, hasPath: false },
  "pods/log": { kind: "PodLogOptions", methods: new Set(["GET"]), hasPath: false },
  "pods/proxy": { kind: "PodProxyOptions", methods: ANY, hasPath: true },
  "services/proxy": { kind: "ServiceProxyOptions", methods: ANY, hasPath: true },
  "nodes/proxy": { kind: "NodeProxyOptions", methods: ANY, hasPath: true },
};

/** Undefined for all other requests. */
export function findConnection(registry: Registry, info: RequestInfo): Endpoint | undefined {
  const { group, version, resource, subresource, isWatchPath, isInNamespace, parts, name } = info;
  const connection = group === "" && version === "v1" ? CONNECTIONS[`${resource}/${subresource}`] : undefined;
  const type = registry.find("", "v1", resource);
  if (connection === undefined || type === undefined || isWatchPath || name === "") return undefined;
  const isPlaced = type.namespaced === isInNamespace && (parts.length === 3 || connection.hasPath);
  return isPlaced ? { type, subresource: connecting(subresource, connection.kind) } : undefined;
}

function connecting(name: string, kind: string): Subresource {
  const refuse = (): never => {
    throw new Error("a connection is neither read nor changed");
  };
  return {
    name,
    kind: { group: "", version: "v1", kind },
    verbs: [],
    view: refuse,
    decode: refuse,
    toParent: refuse,
    update: refuse,
  };
}

export async function handleConnect(call: Call): Promise<ApiResponse> {
  const { endpoint, info, request } = call;
  const { type, subresource } = endpoint;
  const connection = CONNECTIONS[`${type.plural}/${subresource?.name ?? ""}`];
  if (connection === undefined || !connection.methods.has(request.method)) {
    throw generic(405, "MethodNotAllowed", endpointMessages.methodNotAllowed());
  }
  // Reading is not put to admission.
  if (subresource?.name === "log") return handleLog(call);
  const options = await admit(call, readConnectOptions(connection.kind, info));
  if (connection.methods === STREAMING) await checkCreateRight(call);
  return refuseConnection(call, options);
}

/** A web socket is opened with GET, and does what otherwise takes the right to create. */
async function checkCreateRight(call: Call): Promise<void> {
  const { info, user, server } = call;
  const isChecked = byRules(call, () => isEnabled("AuthorizePodWebsocketUpgradeCreatePermission"));
  if (!isChecked || info.verb === "create") return;
  const { group, version, resource, subresource, namespace, name, path } = info;
  const place = { group, version, resource, subresource, namespace, name, path };
  const { verdict, reason } = await server.authorizer({ ...place, user, verb: "create", isResource: true });
  if (verdict !== "allow") throw forbidden({ group, resource }, name, reason);
}

/** Warnings and annotations are recorded whether or not the connection is refused. */
async function admit({ server, endpoint, info, user, deadline, warnings, annotate }: Call, options: JsonObject) {
  const { name, namespace } = info;
  const write: CreateWrite = {
    verb: "create",
    endpoint,
    name,
    namespace,
    user,
    deadline,
    options: newObject(),
    manager: "",
    fieldValidation: "Ignore",
    isDryRun: false,
    content: { bytes: new Uint8Array(), format: "json" },
  };
  const recorder = new OutcomeRecorder();
  const context = { cluster: server, recorder };
  const subject = { operation: "CONNECT", name, old: undefined } as const;
  try {
    const object = (await admission.mutate(write, { ...subject, object: options }, context)) ?? options;
    await admission.validate(write, { ...subject, object }, context);
    return object;
  } finally {
    recorder.warnings.forEach(warnings.add);
    for (const [key, value] of recorder.auditAnnotations) annotate(key, value);
    for (const [key, value] of recorder.objectAnnotations) annotate(key, value, "Request");
  }
}
