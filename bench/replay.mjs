/**
 * `npm run bench -- replay`: how many events of an audit log are replayed in a second of CPU time.
 *
 * The log is made here: creates, updates and deletions of Deployments and ConfigMaps by several users, under eight
 * policies that all look at the objects. The time of a short log is taken off, so that starting does not count.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("../packages/cli/dist/bundle/portcullis.js", import.meta.url));
const SHORT = 2_000;
const LONG = 42_000;

export async function main() {
  const folder = mkdtempSync(path.join(tmpdir(), "portcullis-bench-"));
  try {
    writeFileSync(path.join(folder, "policies.json"), JSON.stringify(policies()));
    const [short, long] = [SHORT, LONG].map((count) => {
      const log = path.join(folder, `${count}.log`);
      writeFileSync(log, Array.from({ length: count }, (_, index) => `${JSON.stringify(event(index))}\n`).join(""));
      return Math.min(...[1, 2, 3].map(() => cpuSeconds(log, folder)));
    });
    console.log(`${Math.round((LONG - SHORT) / (long - short))} events per second of CPU time`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function cpuSeconds(log, folder) {
  const args = [program, "replay", log, "--policies", path.join(folder, "policies.json"), "--exit-zero"];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return childSeconds();
}

let counted = 0;

/** Seconds of the children that ended since the last call. */
function childSeconds() {
  const [, , user, system] = readTimes();
  const all = user + system;
  const own = all - counted;
  counted = all;
  return own;
}

/** Of this process and its children, from the kernel. */
function readTimes() {
  const { stdout } = spawnSync("sh", ["-c", `cut -d')' -f2 /proc/${process.pid}/stat`], { encoding: "utf8" });
  const fields = stdout.trim().split(" ");
  return [11, 12, 13, 14].map((index) => Number(fields[index]) / 100);
}

function policies() {
  const rule = {
    apiGroups: ["apps", ""],
    apiVersions: ["v1"],
    operations: ["CREATE", "UPDATE"],
    resources: ["deployments", "configmaps"],
  };
  const expressions = [
    "!has(object.spec) || !has(object.spec.replicas) || object.spec.replicas <= 50",
    "object.metadata.name.matches('^[a-z0-9-]+$')",
    "!has(object.metadata.labels) || object.metadata.labels.all(key, key.size() < 40)",
    "!has(object.spec) || object.spec.template.spec.containers.all(c, c.image.startsWith('registry.example.com/'))",
    "oldObject == null || object.metadata.name == oldObject.metadata.name",
    "!has(object.data) || object.data.size() < 20",
    "request.userInfo.username != 'mallory'",
    "!has(object.spec) || object.spec.template.spec.containers.exists(c, has(c.resources))",
  ];
  const items = expressions.flatMap((expression, index) => {
    const metadata = { name: `p${index}` };
    const group = "admissionregistration.k8s.io/v1";
    return [
      {
        apiVersion: group,
        kind: "ValidatingAdmissionPolicy",
        metadata,
        spec: { matchConstraints: { resourceRules: [rule] }, validations: [{ expression }] },
      },
      {
        apiVersion: group,
        kind: "ValidatingAdmissionPolicyBinding",
        metadata,
        spec: { policyName: `p${index}`, validationActions: ["Deny"] },
      },
    ];
  });
  return { apiVersion: "v1", kind: "List", items };
}

function event(index) {
  const isMap = index % 3 === 0;
  const name = `o-${Math.floor(index / 6)}-${index % 3}`;
  const isUpdate = index % 6 > 2;
  const at = new Date(1_700_000_000_000 + index * 10).toISOString().replace("Z", "000Z");
  const object = isMap ? configMap(name, index) : deployment(name, index);
  const [group, resource] = isMap ? ["", "configmaps"] : ["apps", "deployments"];
  return {
    kind: "Event",
    apiVersion: "audit.k8s.io/v1",
    level: "RequestResponse",
    auditID: `${index}`,
    stage: "ResponseComplete",
    requestURI: `/${group === "" ? "api" : "apis/apps"}/v1/namespaces/shop/${resource}${isUpdate ? `/${name}` : ""}`,
    verb: isUpdate ? "update" : "create",
    user: { username: `user-${index % 9}`, groups: ["devs"] },
    userAgent: "kubectl",
    objectRef: { resource, namespace: "shop", name, ...(group !== "" && { apiGroup: group }), apiVersion: "v1" },
    responseStatus: { code: isUpdate ? 200 : 201 },
    requestObject: object,
    responseObject: { ...object, metadata: { ...object.metadata, resourceVersion: `${index + 1}` } },
    requestReceivedTimestamp: at,
    stageTimestamp: at,
  };
}

function configMap(name, index) {
  return {
    kind: "ConfigMap",
    apiVersion: "v1",
    metadata: { name, namespace: "shop", labels: { app: name } },
    data: { a: `${index}`, b: "x".repeat(200) },
  };
}

function deployment(name, index) {
  const labels = { app: name };
  const container = {
    name: "main",
    image: `registry.example.com/web:${index}`,
    resources: { limits: { cpu: "1" } },
    env: [{ name: "A", value: "b" }],
  };
  return {
    kind: "Deployment",
    apiVersion: "apps/v1",
    metadata: { name, namespace: "shop", labels },
    spec: {
      replicas: index % 60,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [container] } },
    },
  };
}
