/** Ports of a pod that are given twice, or nearly. Follows pkg/api/pod/warnings.go. */
import type { FieldPath } from "../../field/path.ts";
import type { JsonObject } from "../../value/json.ts";
import { numberOf, objectsOf, textOf } from "../object.ts";
import type { PlacedContainer } from "../validate/pod/windows.ts";
import * as messages from "./messages.ts";

const { about } = messages;

type PlacedPort = readonly [port: JsonObject, path: FieldPath];

export function portWarnings(containers: readonly PlacedContainer[]): string[] {
  const ports = containers.flatMap(([container, path]) =>
    objectsOf(container, "ports").map((port, index): PlacedPort => [port, path.child("ports").index(index)]),
  );
  if (ports.length === 0) return [];
  return [...ports.flatMap((port, index) => numberWarnings(port, ports.slice(0, index))), ...nameWarnings(ports)];
}

function numberWarnings([port, path]: PlacedPort, before: readonly PlacedPort[]): string[] {
  const isLoose = textOf(port, "hostIP") !== "" && numberOf(port, "hostPort") === 0;
  return [
    ...(isLoose ? [about(path, messages.hostIpAlone(goText(port)))] : []),
    ...before
      .filter(([other]) => isSame(port, other, "containerPort") && isSame(port, other, "protocol"))
      .flatMap(([other, place]) => {
        const what = clashOf(port, other);
        return what === undefined ? [] : [about(path, messages.portWith(what, place))];
      }),
  ];
}

function isSame(port: JsonObject, other: JsonObject, key: string): boolean {
  return port[key] === other[key];
}

function clashOf(port: JsonObject, other: JsonObject): string | undefined {
  const [host, otherHost] = [numberOf(port, "hostPort"), numberOf(other, "hostPort")];
  const [ip, otherIp] = [textOf(port, "hostIP"), textOf(other, "hostIP")];
  if (ip === otherIp && host === otherHost) return "duplicate";
  if (host === 0 || otherHost === 0) return "overlapping";
  return host === otherHost && (ip === "") !== (otherIp === "") ? "dangerously ambiguous" : undefined;
}

/** Go's %+v of the internal type. */
function goText(port: JsonObject): string {
  return `{Name:${textOf(port, "name")} HostPort:${numberOf(port, "hostPort")} ContainerPort:${numberOf(port, "containerPort")} Protocol:${textOf(port, "protocol")} HostIP:${textOf(port, "hostIP")}}`;
}

function nameWarnings(ports: readonly PlacedPort[]): string[] {
  const known = new Map<string, FieldPath>();
  return ports.flatMap(([port, path]) => {
    const name = textOf(port, "name");
    const other = known.get(name);
    if (name === "") return [];
    if (other !== undefined) return [about(path, messages.portNameTwice(name, other))];
    known.set(name, path);
    return [];
  });
}
