/**
 * Pods run as a service account: by default as `default`, which has to exist, and with its token mounted. Follows
 * plugin/pkg/admission/serviceaccount.
 */
import type { AdmissionPlugin, AdmissionRequest } from "../../review/cluster-view.ts";
import type { JsonObject, JsonValue } from "../../value/json.ts";
import { metaOf, metaText, objectOf } from "../../value/metadata.ts";
import { objectOf as memberObject, objectsOf, textOf } from "../../value/read.ts";
import { copyObject, withMember } from "../../value/rewrite.ts";
import { refusal } from "../refusal.ts";
import { checkSecretReferences } from "./mountable-secrets.ts";
import { hasSecretReference } from "./pod-references.ts";

const DEFAULT_NAME = "default";
const MIRROR = "kubernetes.io/config.mirror";
const ATTEMPTS = 10;

/** `pause` waits a moment: the controller that creates the default account may be behind. */
export function serviceAccountAdmission(pause: () => Promise<void>): AdmissionPlugin {
  return {
    name: "ServiceAccount",
    mutate: async (request) => {
      const pod = podOf(request);
      if (pod === undefined || request.operation !== "CREATE") return request.object;
      if (isMirror(pod)) {
        checkMirror(request, pod);
        return pod;
      }
      const spec = copyObject(memberObject(pod["spec"]));
      const name = textOf(spec["serviceAccountName"]) || DEFAULT_NAME;
      // The older field is an alias.
      Object.assign(spec, { serviceAccountName: name, serviceAccount: name });
      const account = await accountOf(request, name, pause);
      if (shouldMount(spec, account)) mountToken(spec, request.cluster.system.suffix);
      if (objectsOf(spec["imagePullSecrets"]).length === 0) takePullSecrets(spec, account);
      const changed = withMember(pod, "spec", spec);
      checkSecretReferences(request, changed, account);
      return changed;
    },
    validate: async (request) => {
      const pod = podOf(request);
      if (pod === undefined || (request.operation !== "CREATE" && !isEphemeral(request))) return;
      if (request.operation === "CREATE" && isMirror(pod)) return checkMirror(request, pod);
      const name = textOf(memberObject(pod["spec"])["serviceAccountName"]);
      if (name === "") {
        const cause = `no service account specified for pod ${request.namespace}/${metaText(pod, "name")}`;
        throw refusal(request, cause);
      }
      checkSecretReferences(request, pod, await accountOf(request, name, pause));
    },
  };
}

function podOf(request: AdmissionRequest): JsonObject | undefined {
  const { endpoint, operation, object } = request;
  const isPod = endpoint.type.group === "" && endpoint.type.plural === "pods";
  const isWrite = operation === "CREATE" || operation === "UPDATE";
  return isPod && isWrite && (endpoint.subresource === undefined || isEphemeral(request)) ? object : undefined;
}

function isEphemeral({ endpoint, operation }: AdmissionRequest): boolean {
  return operation === "UPDATE" && endpoint.subresource?.name === "ephemeralcontainers";
}

function isMirror(pod: JsonObject): boolean {
  return memberObject(metaOf(pod)["annotations"])[MIRROR] !== undefined;
}

/** Pods that the API server only mirrors use nothing of it. */
function checkMirror(request: AdmissionRequest, pod: JsonObject): void {
  const spec = memberObject(pod["spec"]);
  if (textOf(spec["serviceAccountName"]) !== "") {
    throw refusal(request, "a mirror pod may not reference service accounts");
  }
  if (hasSecretReference(spec)) throw refusal(request, "a mirror pod may not reference secrets");
  const sources = objectsOf(spec["volumes"]).flatMap((each) => objectsOf(memberObject(each["projected"])["sources"]));
  if (sources.some((source) => source["serviceAccountToken"] !== undefined)) {
    throw refusal(request, "a mirror pod may not use ServiceAccountToken volume projections");
  }
}

async function accountOf(request: AdmissionRequest, name: string, pause: () => Promise<void>): Promise<JsonObject> {
  const { cluster, namespace } = request;
  const kind = cluster.kinds.find("", "v1", "serviceaccounts");
  const attempts = name === DEFAULT_NAME ? ATTEMPTS : 1;
  for (let attempt = 0; attempt < attempts && kind !== undefined; attempt++) {
    if (attempt > 0) await pause();
    const found = await cluster.get(kind, namespace, name);
    if (found !== undefined) return found;
  }
  // Upstream's message has the singular.
  const missing = `serviceaccount "${name}" not found`;
  throw refusal(request, `error looking up service account ${namespace}/${name}: ${missing}`);
}

/** The pod decides, then the account. */
function shouldMount(spec: JsonObject, account: JsonObject): boolean {
  return (spec["automountServiceAccountToken"] ?? account["automountServiceAccountToken"]) !== false;
}

function takePullSecrets(spec: JsonObject, account: JsonObject): void {
  const secrets = objectsOf(account["imagePullSecrets"]).map(({ name }) => objectOf({ name }));
  if (secrets.length > 0) spec["imagePullSecrets"] = secrets;
}

const VOLUME = "kube-api-access-";
const MOUNT_PATH = "/var/run/secrets/kubernetes.io/serviceaccount";

function mountToken(spec: JsonObject, suffix: () => string): void {
  const present = objectsOf(spec["volumes"]).find((volume) => textOf(volume["name"]).startsWith(VOLUME));
  const name = present === undefined ? VOLUME + suffix() : textOf(present["name"]);
  const isMissing = (container: JsonObject): boolean =>
    !objectsOf(container["volumeMounts"]).some((mount) => mount["mountPath"] === MOUNT_PATH);
  let isNeeded = false;
  for (const key of ["initContainers", "containers"]) {
    const containers = objectsOf(spec[key]);
    if (!containers.some(isMissing)) continue;
    isNeeded = true;
    spec[key] = containers.map((each) => (isMissing(each) ? withMount(each, name) : each));
  }
  if (present !== undefined || !isNeeded) return;
  spec["volumes"] = [...objectsOf(spec["volumes"]), objectOf({ name, projected: tokenVolume() })];
}

function withMount(container: JsonObject, name: string): JsonObject {
  const mount = objectOf({ name, readOnly: true, mountPath: MOUNT_PATH });
  return withMember(container, "volumeMounts", [...objectsOf(container["volumeMounts"]), mount]);
}

/** An hour and seven seconds: such tokens are extended, and clients that do not renew them get a warning. */
const EXPIRATION = 3607;
const MODE = 0o644;

function tokenVolume(): JsonValue {
  const fieldRef = objectOf({ apiVersion: "v1", fieldPath: "metadata.namespace" });
  return objectOf({
    sources: [
      objectOf({ serviceAccountToken: objectOf({ expirationSeconds: EXPIRATION, path: "token" }) }),
      objectOf({
        configMap: objectOf({ name: "kube-root-ca.crt", items: [objectOf({ key: "ca.crt", path: "ca.crt" })] }),
      }),
      objectOf({ downwardAPI: objectOf({ items: [objectOf({ path: "namespace", fieldRef })] }) }),
    ],
    defaultMode: MODE,
  });
}
