/**
 * The options of `exec`, `attach`, `portforward` and `proxy`, from the query.
 *
 * Follows the conversions from url.Values in pkg/apis/core/v1 and apimachinery runtime/converter.go.
 */
import { badRequest } from "@portcullis/engine/internal/status/error";
import type { JsonObject, JsonValue } from "@portcullis/engine/internal/value/json";
import { objectOf } from "@portcullis/engine/internal/value/metadata";
import { parseUint } from "@portcullis/gostd/strconv";
import type { RequestInfo } from "../http/request-info.ts";
import * as messages from "./messages.ts";

/** As Go encodes the options: false and empty values are omitted. */
export function readConnectOptions(kind: string, info: RequestInfo): JsonObject {
  return objectOf({ kind, apiVersion: "v1", ...READERS[kind]?.(info) });
}

type Reader = (info: RequestInfo) => Readonly<Record<string, JsonValue | undefined>>;

const streams: Reader = ({ query }) => {
  const isSet = (name: string): true | undefined => {
    const text = query.get(name)?.[0];
    return text === undefined || text === "0" || text.toLowerCase() === "false" ? undefined : true;
  };
  const container = query.get("container")?.[0];
  return {
    stdin: isSet("stdin"),
    stdout: isSet("stdout"),
    stderr: isSet("stderr"),
    tty: isSet("tty"),
    container: container === "" ? undefined : container,
  };
};

const exec: Reader = (info) => {
  const command = info.query.get("command");
  return { ...streams(info), command: command === undefined ? null : [...command] };
};

const portForward: Reader = ({ query }) => {
  const ports = (query.get("ports") ?? []).flatMap((text) => text.split(",")).map(readPort);
  return { ports: ports.length === 0 ? undefined : ports };
};

const PORT_BITS = 16;

function readPort(text: string): number {
  const parsed = parseUint(text, 10, PORT_BITS);
  if (parsed.error !== undefined) throw badRequest(messages.badPorts(parsed.error));
  return Number(parsed.value);
}

/** The path after the subresource. */
const proxy: Reader = ({ parts, path }) => {
  const rest = parts.slice(3).join("/");
  const started = rest === "" || rest.startsWith("/") ? rest : `/${rest}`;
  const whole = path.endsWith("/") && !started.endsWith("/") ? `${started}/` : started;
  return { path: whole === "" ? undefined : whole };
};

const READERS: Readonly<Record<string, Reader>> = {
  PodExecOptions: exec,
  PodAttachOptions: streams,
  PodPortForwardOptions: portForward,
  PodProxyOptions: proxy,
  ServiceProxyOptions: proxy,
  NodeProxyOptions: proxy,
};
