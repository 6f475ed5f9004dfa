import { expect, test } from "vitest";
import { fromPlain } from "../value/copy.ts";
import { isObject, type JsonObject, newObject } from "../value/json.ts";
import type { Level, Version } from "./level.ts";
import { evaluatePod, shownDetails } from "./registry.ts";

const SERVER = 36;

function json(plain: unknown): JsonObject {
  const made = fromPlain(plain);
  return isObject(made) ? made : newObject();
}

/** The violations of a pod. Its container passes the restricted level unless the spec overrides it. */
function violations(level: Level, version: Version, spec: object, annotations: object = {}): string {
  const fine = { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } };
  const securityContext = { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } };
  const pod = {
    metadata: json({ annotations }),
    spec: json({ securityContext, containers: [{ name: "a", securityContext: fine }], ...spec }),
  };
  return shownDetails(evaluatePod({ level, version }, pod, SERVER));
}

const container = (security: object, more: object = {}): object => ({
  containers: [
    {
      name: "a",
      securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] }, ...security },
      ...more,
    },
  ],
});

const pod = (security: object): object => ({
  securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" }, ...security },
});

// biome-ignore format: a table
test.each([
  { name: "host namespaces", spec: { hostNetwork: true, hostIPC: true }, found: "host namespaces (hostNetwork=true, hostIPC=true)" },
  { name: "a host path", spec: { volumes: [{ name: "v", hostPath: { path: "/" } }] }, found: 'hostPath volumes (volume "v")' },
  { name: "host ports", spec: container({}, { ports: [{ hostPort: 8080 }, { hostPort: 10 }, { containerPort: 1 }] }), found: 'hostPort (container "a" uses hostPorts 10, 8080)' },
  { name: "hosts of probes", spec: container({}, { livenessProbe: { httpGet: { host: "b" } }, lifecycle: { preStop: { tcpSocket: { host: "a" } } } }), found: 'probe or lifecycle host (container "a" uses probe or lifecycle hosts "a", "b")' },
  { name: "a privileged container", spec: container({ privileged: true }), found: 'privileged (container "a" must not set securityContext.privileged=true)' },
  { name: "capabilities beyond the default ones", spec: container({ capabilities: { add: ["SYS_ADMIN", "CHOWN", "BPF"] } }), found: 'non-default capabilities (container "a" must not include "BPF", "SYS_ADMIN" in securityContext.capabilities.add)' },
  { name: "an unmasked /proc", spec: container({ procMount: "Unmasked" }), found: 'procMount (container "a" must not set securityContext.procMount to "Unmasked")' },
  { name: "SELinux options", spec: pod({ seLinuxOptions: { type: "spc_t", user: "u", role: "r" } }), found: 'seLinuxOptions (pod set forbidden securityContext.seLinuxOptions: type "spc_t"; user may not be set; role may not be set)' },
  { name: "no seccomp", spec: pod({ seccompProfile: { type: "Unconfined" } }), found: 'seccompProfile (pod must not set securityContext.seccompProfile.type to "Unconfined")' },
  { name: "no AppArmor", spec: container({ appArmorProfile: { type: "Unconfined" } }), found: 'forbidden AppArmor profile (container "a" must not set AppArmor profile type to "Unconfined")' },
  { name: "kernel parameters", spec: pod({ sysctls: [{ name: "kernel.msgmax" }, { name: "net.ipv4.tcp_rmem" }] }), found: "forbidden sysctls (kernel.msgmax)" },
  { name: "Windows host processes", spec: pod({ windowsOptions: { hostProcess: true } }), found: "hostProcess (pod must not set securityContext.windowsOptions.hostProcess=true)" },
])("baseline forbids $name", ({ spec, found }) => {
  expect(violations("baseline", "latest", spec)).toBe(found);
});

// biome-ignore format: a table
test.each([
  { name: "privilege escalation", spec: container({ allowPrivilegeEscalation: true }), found: 'allowPrivilegeEscalation != false (container "a" must set securityContext.allowPrivilegeEscalation=false)' },
  { name: "capabilities", spec: container({ capabilities: { add: ["CHOWN", "NET_BIND_SERVICE"] } }), found: 'unrestricted capabilities (container "a" must set securityContext.capabilities.drop=["ALL"]; container "a" must not include "CHOWN" in securityContext.capabilities.add)' },
  { name: "other volume types", spec: { volumes: [{ name: "v", nfs: {} }, { name: "w" }, { name: "ok", emptyDir: {} }] }, found: 'restricted volume types (volumes "v", "w" use restricted volume types "nfs", "unknown")' },
  { name: "root by default", spec: { securityContext: { seccompProfile: { type: "Localhost" } } }, found: 'runAsNonRoot != true (pod or container "a" must set securityContext.runAsNonRoot=true)' },
  { name: "root on purpose", spec: container({ runAsNonRoot: false }), found: 'runAsNonRoot != true (container "a" must not set securityContext.runAsNonRoot=false)' },
  { name: "user 0", spec: pod({ runAsUser: 0 }), found: "runAsUser=0 (pod must not set runAsUser=0)" },
  { name: "a missing seccomp profile", spec: { securityContext: { runAsNonRoot: true } }, found: 'seccompProfile (pod or container "a" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")' },
])("restricted forbids $name", ({ spec, found }) => {
  expect(violations("restricted", "latest", spec)).toBe(found);
});

// biome-ignore format: a table
test.each([
  { name: "capabilities need not be dropped before v1.22", level: "restricted" as const, spec: container({ capabilities: {} }), allowed: 21, refused: 22 },
  { name: "privileges may escalate before v1.8", level: "restricted" as const, spec: container({ allowPrivilegeEscalation: true }), allowed: 7, refused: 8 },
  { name: "user 0 is allowed before v1.23", level: "restricted" as const, spec: pod({ runAsUser: 0 }), allowed: 22, refused: 23 },
  { name: "probes may have hosts before v1.34", level: "baseline" as const, spec: container({}, { livenessProbe: { httpGet: { host: "b" } } }), allowed: 33, refused: 34 },
  { name: "seccomp fields are not checked before v1.19", level: "baseline" as const, spec: pod({ seccompProfile: { type: "Unconfined" } }), allowed: 18, refused: 19 },
  { name: "the type of container engines is known since v1.31", level: "baseline" as const, spec: pod({ seLinuxOptions: { type: "container_engine_t" } }), allowed: 31, refused: 30 },
  { name: "reserved ports are safe since v1.27", level: "baseline" as const, spec: pod({ sysctls: [{ name: "net.ipv4.ip_local_reserved_ports" }] }), allowed: 27, refused: 26 },
  { name: "receive buffers are safe since v1.32", level: "baseline" as const, spec: pod({ sysctls: [{ name: "net.ipv4.tcp_rmem" }] }), allowed: 32, refused: 31 },
  { name: "Windows pods need no capabilities since v1.25", level: "restricted" as const, spec: { ...container({ capabilities: {} }), os: { name: "windows" } }, allowed: 25, refused: 24 },
  { name: "pods with a user namespace may be root since v1.35", level: "restricted" as const, spec: { ...pod({ runAsUser: 0 }), hostUsers: false }, allowed: 35, refused: 34 },
  { name: "pods with a user namespace may unmask /proc since v1.35", level: "baseline" as const, spec: { ...container({ procMount: "Unmasked" }), hostUsers: false }, allowed: 35, refused: 34 },
])("$name", ({ level, spec, allowed, refused }) => {
  expect(violations(level, allowed, spec)).toBe("");
  expect(violations(level, refused, spec)).not.toBe("");
});

test("restricted requires a masked /proc with any user namespace", () => {
  const spec = { ...container({ procMount: "Unmasked" }), hostUsers: false };
  expect(violations("restricted", "latest", spec)).toContain("procMount");
});

test("seccomp annotations count until v1.18", () => {
  const annotations = { "seccomp.security.alpha.kubernetes.io/pod": "unconfined" };
  expect(violations("baseline", 18, {}, annotations)).toBe(
    'seccompProfile (forbidden annotation seccomp.security.alpha.kubernetes.io/pod="unconfined")',
  );
  expect(violations("baseline", 19, {}, annotations)).toBe("");
});

test("future versions are the newest one", () => {
  const spec = container({}, { livenessProbe: { httpGet: { host: "b" } } });
  expect(violations("baseline", 99, spec)).toBe(violations("baseline", "latest", spec));
});

test("an older server does not know newer checks", () => {
  const probe = { metadata: newObject(), spec: json(container({}, { livenessProbe: { httpGet: { host: "b" } } })) };
  expect(evaluatePod({ level: "baseline", version: "latest" }, probe, 33)).toEqual([]);
});

test("privileged allows everything", () => {
  expect(violations("privileged", "latest", { hostNetwork: true })).toBe("");
});

test("containers of all types are checked, init containers first", () => {
  const bad = (name: string): object => ({ name, securityContext: { privileged: true } });
  const spec = { containers: [bad("b")], initContainers: [bad("a")], ephemeralContainers: [bad("c")] };
  expect(violations("baseline", "latest", spec)).toBe(
    'privileged (containers "a", "b", "c" must not set securityContext.privileged=true)',
  );
});
