/** Checks about /proc and kernel parameters. Follows policy/check_{procMount_*,sysctls}.go. */
import { objectsOf, textOf } from "../../value/read.ts";
import { type CheckPod, containersOf, podSecurityContext, quoteAll, shownContainers, sortedSet } from "./check.ts";

export const procMount: CheckPod = (pod) => {
  const containers = containersOf(pod).filter(({ security }) => {
    const mount = security["procMount"];
    return typeof mount === "string" && mount !== "Default";
  });
  if (containers.length === 0) return undefined;
  const types = sortedSet(containers.map(({ security }) => textOf(security["procMount"])));
  const subject = shownContainers(containers.map(({ name }) => name));
  return { reason: "procMount", detail: `${subject} must not set securityContext.procMount to ${quoteAll(types)}` };
};

const SAFE = [
  "kernel.shm_rmid_forced",
  "net.ipv4.ip_local_port_range",
  "net.ipv4.tcp_syncookies",
  "net.ipv4.ping_group_range",
  "net.ipv4.ip_unprivileged_port_start",
];
const SAFE_SINCE_27 = [...SAFE, "net.ipv4.ip_local_reserved_ports"];
const SAFE_SINCE_29 = [
  ...SAFE_SINCE_27,
  "net.ipv4.tcp_keepalive_time",
  "net.ipv4.tcp_fin_timeout",
  "net.ipv4.tcp_keepalive_intvl",
  "net.ipv4.tcp_keepalive_probes",
];
const SAFE_SINCE_32 = [...SAFE_SINCE_29, "net.ipv4.tcp_rmem", "net.ipv4.tcp_wmem"];

export const sysctls = sysctlsBut(SAFE);
export const sysctls27 = sysctlsBut(SAFE_SINCE_27);
export const sysctls29 = sysctlsBut(SAFE_SINCE_29);
export const sysctls32 = sysctlsBut(SAFE_SINCE_32);

function sysctlsBut(safe: readonly string[]): CheckPod {
  return (pod) => {
    const names = objectsOf(podSecurityContext(pod)["sysctls"]).map(({ name }) => textOf(name));
    const forbidden = names.filter((name) => !safe.includes(name));
    return forbidden.length === 0 ? undefined : { reason: "forbidden sysctls", detail: forbidden.join(", ") };
  };
}
