/** Checks about the host: its namespaces, paths, ports and processes. Follows policy/check_host*.go, check_windowsHostProcess.go. */
import { isInteger, isObject, type JsonObject } from "../../value/json.ts";
import { objectOf, objectsOf, textOf } from "../../value/read.ts";
import {
  type CheckPod,
  containersOf,
  plural,
  podSecurityContext,
  quoteAll,
  shownContainers,
  shownSetters,
  sortedSet,
} from "./check.ts";

export const hostNamespaces: CheckPod = ({ spec }) => {
  const shared = ["hostNetwork", "hostPID", "hostIPC"].filter((field) => spec[field] === true);
  if (shared.length === 0) return undefined;
  return { reason: "host namespaces", detail: shared.map((field) => `${field}=true`).join(", ") };
};

export const hostPathVolumes: CheckPod = ({ spec }) => {
  const names = objectsOf(spec["volumes"]).flatMap(({ name, hostPath }) => (isObject(hostPath) ? [textOf(name)] : []));
  if (names.length === 0) return undefined;
  return { reason: "hostPath volumes", detail: `${plural(names.length, "volume")} ${quoteAll(names)}` };
};

export const hostPorts: CheckPod = (pod) => {
  const users = containersOf(pod)
    .map(({ name, json }) => ({ name, ports: hostPortsOf(json) }))
    .filter(({ ports }) => ports.length > 0);
  if (users.length === 0) return undefined;
  const ports = sortedSet(users.flatMap((user) => user.ports));
  const subject = `${shownContainers(users.map(({ name }) => name))} ${plural(users.length, "uses", "use")}`;
  return { reason: "hostPort", detail: `${subject} ${plural(ports.length, "hostPort")} ${ports.join(", ")}` };
};

function hostPortsOf(container: JsonObject): string[] {
  return objectsOf(container["ports"]).flatMap(({ hostPort }) =>
    isInteger(hostPort) && hostPort !== 0 ? [String(hostPort)] : [],
  );
}

const PROBES = ["livenessProbe", "readinessProbe", "startupProbe"];
const HOOKS = ["postStart", "preStop"];

/** Since v1.34. */
export const hostProbes: CheckPod = (pod) => {
  const users = containersOf(pod)
    .map(({ name, json }) => ({ name, hosts: probedHosts(json) }))
    .filter(({ hosts }) => hosts.length > 0);
  if (users.length === 0) return undefined;
  const names = sortedSet(users.map(({ name }) => name));
  const hosts = sortedSet(users.flatMap((user) => user.hosts));
  const subject = `${shownContainers(names)} ${plural(names.length, "uses", "use")}`;
  return {
    reason: "probe or lifecycle host",
    detail: `${subject} ${plural(hosts.length, "probe or lifecycle host")} ${quoteAll(hosts)}`,
  };
};

function probedHosts(container: JsonObject): string[] {
  const lifecycle = objectOf(container["lifecycle"]);
  const handlers = [...PROBES.map((name) => container[name]), ...HOOKS.map((name) => lifecycle[name])].map(objectOf);
  return handlers
    .flatMap(({ httpGet, tcpSocket }) => [objectOf(httpGet), objectOf(tcpSocket)])
    .map(({ host }) => textOf(host))
    .filter((host) => host !== "");
}

export const windowsHostProcess: CheckPod = (pod) => {
  const containers = containersOf(pod).filter(({ security }) => isHostProcess(security));
  const isPod = isHostProcess(podSecurityContext(pod));
  if (!isPod && containers.length === 0) return undefined;
  const setters = shownSetters(
    isPod,
    containers.map(({ name }) => name),
  );
  return { reason: "hostProcess", detail: `${setters} must not set securityContext.windowsOptions.hostProcess=true` };
};

function isHostProcess(security: JsonObject): boolean {
  return objectOf(security["windowsOptions"])["hostProcess"] === true;
}
