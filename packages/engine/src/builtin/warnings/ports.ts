/** Ports of a pod that are given twice, or nearly. Follows pkg/api/pod/warnings.go. */
import type { FieldPath } from "../../field/path.ts";
import type { JsonObject } from "../../value/json.ts";
import { since } from "../../value/server-version.ts";
import { numberOf, objectsOf, textOf } from "../object.ts";
import type { PlacedContainer } from "../validate/pod/windows.ts";
import * as messages from "./messages.ts";
import { MAX_PAIRS } from "./overlap.ts";

const { about } = messages;

type PlacedPort = readonly [port: JsonObject, path: FieldPath];

export function portWarnings(containers: readonly PlacedContainer[]): string[] {
  const ports = containers.flatMap(([container, path]) =>
    objectsOf(container, "ports").map((port, index): PlacedPort => [port, path.child("ports").index(index)]),
  );
  if (ports.length === 0) return [];
  const before = new EarlierPorts();
  let left = MAX_PAIRS;
  const numbers = ports.flatMap(([port, path]) => {
    const isLoose = textOf(port, "hostIP") !== "" && numberOf(port, "hostPort") === 0;
    const clashes = before.add([port, path], left).flatMap(([other, place]) => {
      const what = clashOf(port, other);
      return what === undefined ? [] : [about(path, messages.portWith(what, place))];
    });
    left -= clashes.length;
    return [...(isLoose ? [about(path, messages.hostIpAlone(goText(port)))] : []), ...clashes];
  });
  return [...numbers, ...nameWarnings(ports)];
}

/** Ports by what makes them clash, so that only those that do are looked at. */
class EarlierPorts {
  readonly #ports = new Map<string, PlacedPort[]>();
  readonly #order = new Map<PlacedPort, number>();

  /** Adds a port, and gives the first `limit` earlier ones that it clashes with. */
  add(placed: PlacedPort, limit: number): PlacedPort[] {
    if (limit <= 0) return [];
    const [port] = placed;
    const [host, ip] = [numberOf(port, "hostPort"), textOf(port, "hostIP")];
    const same = `${port["containerPort"]}/${port["protocol"]}`;
    const candidates = host === 0 ? [""] : ["/0", `/${host}/${ip}`, `/${host}${ip === "" ? " with IP" : "/"}`];
    const found = candidates.flatMap((key) => (this.#ports.get(same + key) ?? []).slice(0, limit));
    this.#order.set(placed, this.#order.size);
    const keys = host === 0 ? ["", "/0"] : ["", `/${host}/${ip}`, ...(ip === "" ? [] : [`/${host} with IP`])];
    for (const key of keys) this.#listOf(same + key).push(placed);
    const orderOf = (each: PlacedPort): number => this.#order.get(each) ?? 0;
    return found.sort((a, b) => orderOf(a) - orderOf(b)).slice(0, limit);
  }

  #listOf(key: string): PlacedPort[] {
    const list = this.#ports.get(key) ?? [];
    this.#ports.set(key, list);
    return list;
  }
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
  if (!since("1.33")) return [];
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
