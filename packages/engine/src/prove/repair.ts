/**
 * Corrects generated objects in ways that no expression asked for: native validation refuses containers with equal names,
 * volumes with two sources and probes without a handler. The policies evaluate the corrected object, so a correction cannot make a result wrong.
 */
import { isArray, isObject, type JsonObject, type JsonValue, newObject } from "../value/json.ts";

const CONTAINERS: readonly string[] = ["containers", "initContainers", "ephemeralContainers"];

export function repaired(object: JsonObject): JsonObject {
  const made = newObject();
  for (const [key, value] of Object.entries(object)) made[key] = withHandler(key, repairedValue(value));
  if (made["kind"] === "Service" && isObject(made["spec"])) made["spec"] = withoutAddress(made["spec"]);
  return isArray(made["containers"]) ? withDistinctNames(made) : made;
}

/** Only a headless service may have no ports. */
function withoutAddress(spec: JsonObject): JsonObject {
  const { ports, type = "ClusterIP" } = spec;
  const isBare = (ports === undefined || (isArray(ports) && ports.length === 0)) && type === "ClusterIP";
  return isBare ? Object.assign(newObject(), spec, { clusterIP: "None" }) : spec;
}

function repairedValue(value: JsonValue): JsonValue {
  if (isArray(value)) return value.map(repairedValue);
  return isObject(value) ? repaired(value) : value;
}

const PROBES: readonly string[] = ["livenessProbe", "readinessProbe", "startupProbe", "postStart", "preStop"];
const HANDLERS: readonly string[] = ["exec", "grpc", "httpGet", "sleep", "tcpSocket"];

/** A probe and a hook of a container have exactly one handler. */
function withHandler(key: string, value: JsonValue): JsonValue {
  if (!PROBES.includes(key) || !isObject(value) || HANDLERS.some((each) => value[each] !== undefined)) return value;
  const exec = Object.assign(newObject(), { command: ["true"] });
  return Object.assign(newObject(), value, { exec });
}

function withDistinctNames(spec: JsonObject): JsonObject {
  const taken = new Set<string>();
  for (const key of CONTAINERS) {
    const list = spec[key];
    if (isArray(list)) spec[key] = renamed(list, taken);
  }
  const { volumes } = spec;
  if (isArray(volumes)) spec["volumes"] = renamed(volumes, new Set()).map(withOneSource);
  return spec;
}

function renamed(list: readonly JsonValue[], taken: Set<string>): JsonValue[] {
  return list.map((item) => {
    if (!isObject(item) || typeof item["name"] !== "string") return item;
    const name = freeName(item["name"], taken);
    taken.add(name);
    return name === item["name"] ? item : Object.assign(newObject(), item, { name });
  });
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  for (let number = 1; ; number++) if (!taken.has(`${name}${number}`)) return `${name}${number}`;
}

/** The usual volume is an empty directory, which gives way to the source that an expression asks for. */
function withOneSource(volume: JsonValue): JsonValue {
  if (!isObject(volume) || volume["emptyDir"] === undefined || Object.keys(volume).length <= 2) return volume;
  const made = Object.assign(newObject(), volume);
  delete made["emptyDir"];
  return made;
}
