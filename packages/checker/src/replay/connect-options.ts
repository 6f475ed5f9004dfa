/** The object of a connection, which an event only has in its URL. */
import type { GroupVersionKind } from "@portcullis/engine/internal/policy/attributes";
import type { JsonObject, JsonValue } from "@portcullis/engine/internal/value/json";
import { objectOf } from "@portcullis/engine/internal/value/metadata";
import type { WriteEvent } from "./write-event.ts";

const KINDS: Readonly<Record<string, string>> = {
  "pods/exec": "PodExecOptions",
  "pods/attach": "PodAttachOptions",
  "pods/portforward": "PodPortForwardOptions",
  "pods/proxy": "PodProxyOptions",
  "services/proxy": "ServiceProxyOptions",
  "nodes/proxy": "NodeProxyOptions",
};

export function connectKind({ ref }: WriteEvent): GroupVersionKind {
  return { group: "", version: "v1", kind: KINDS[`${ref.resource}/${ref.subresource}`] ?? "" };
}

/** As Go encodes the options: false and empty values are omitted. */
export function connectOptions(write: WriteEvent): JsonObject {
  const { kind } = connectKind(write);
  return objectOf({ kind, apiVersion: "v1", ...membersOf(write, kind) });
}

function membersOf({ query, event }: WriteEvent, kind: string): Readonly<Record<string, JsonValue | undefined>> {
  const isSet = (name: string): true | undefined => {
    const text = query.get(name);
    return text === null || text === "0" || text.toLowerCase() === "false" ? undefined : true;
  };
  if (kind === "PodPortForwardOptions") {
    const ports = query
      .getAll("ports")
      .flatMap((text) => text.split(","))
      .map(Number)
      .filter(Number.isInteger);
    return { ports: ports.length === 0 ? undefined : ports };
  }
  if (kind === "PodExecOptions" || kind === "PodAttachOptions") {
    const command = query.getAll("command");
    return {
      stdin: isSet("stdin"),
      stdout: isSet("stdout"),
      stderr: isSet("stderr"),
      tty: isSet("tty"),
      container: query.get("container") || undefined,
      ...(kind === "PodExecOptions" && { command: command.length === 0 ? null : command }),
    };
  }
  const [path = ""] = event.uri.split("?", 1);
  const rest = path.slice(path.indexOf("/proxy") + "/proxy".length);
  return { path: rest === "" ? undefined : rest };
}
