/** Pods and pod templates. Follows ValidatePodSpec of pkg/apis/core/validation; see DIFFERENCES.md for what is left out. */
import { duplicate, type FieldError, forbidden, invalid, notSupported, required } from "../../field/error.ts";
import { checkDnsSubdomain, checkLabelValue, checkQualifiedName } from "../../field/names.ts";
import { type FieldPath, newPath } from "../../field/path.ts";
import { validateAnnotations, validateLabels } from "../../schema/object-meta.ts";
import { deepEqual } from "../../value/equal.ts";
import { isObject, type JsonObject, type JsonValue } from "../../value/json.ts";
import { has, metaOf, numberOf, objectOf, objectsOf, textOf } from "../object.ts";
import { labelName, oneOf, requiredText } from "./checks.ts";
import { validateContainers, validateInitContainers } from "./container.ts";
import * as messages from "./messages.ts";

const SPEC = newPath("spec");

export function validatePod(pod: JsonObject): FieldError[] {
  const spec = objectOf(pod, "spec") ?? {};
  return [...validatePodSpec(spec, SPEC), ...projectedTokens(spec)];
}

/** Upstream's paths leave out `metadata`. */
export function validateTemplate(template: JsonObject, path: FieldPath): FieldError[] {
  const meta = metaOf(template);
  return [
    ...validateLabels(meta["labels"], path.child("labels")),
    ...validateAnnotations(meta["annotations"], path.child("annotations")),
    ...validatePodSpec(objectOf(template, "spec") ?? {}, path.child("spec")),
  ];
}

const DNS_POLICIES = ["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"];
const MAX_INT32 = 2 ** 31 - 1;

export function validatePodSpec(spec: JsonObject, path: FieldPath): FieldError[] {
  const { errors, names } = validateVolumes(objectsOf(spec, "volumes"), path.child("volumes"));
  const context = { volumes: names };
  const containers = objectsOf(spec, "containers");
  const inits = objectsOf(spec, "initContainers");
  return [
    ...errors,
    ...validateContainers(containers, path.child("containers"), context),
    ...validateInitContainers(inits, containers, path.child("initContainers"), context),
    ...oneOf(spec, "restartPolicy", ["Always", "OnFailure", "Never"], path),
    ...oneOf(spec, "dnsPolicy", DNS_POLICIES, path),
    ...validateLabels(spec["nodeSelector"], path.child("nodeSelector")),
    ...subdomainMember(spec, "serviceAccountName", path),
    ...subdomainMember(spec, "nodeName", path),
    ...validateDeadline(spec, path),
    ...hostname(spec, "hostname", path),
    ...hostname(spec, "subdomain", path),
    ...objectsOf(spec, "tolerations").flatMap((each, index) =>
      validateToleration(each, path.child("tolerations").index(index)),
    ),
    ...subdomainMember(spec, "priorityClassName", path),
    ...subdomainMember(spec, "runtimeClassName", path),
  ];
}

function subdomainMember(spec: JsonObject, key: string, path: FieldPath): FieldError[] {
  const name = textOf(spec, key);
  return name === "" ? [] : checkDnsSubdomain(name).map((problem) => invalid(path.child(key), name, problem));
}

function hostname(spec: JsonObject, key: string, path: FieldPath): FieldError[] {
  const name = textOf(spec, key);
  return name === "" ? [] : labelName(name, path.child(key));
}

function validateDeadline(spec: JsonObject, path: FieldPath): FieldError[] {
  if (!has(spec, "activeDeadlineSeconds")) return [];
  const value = numberOf(spec, "activeDeadlineSeconds");
  if (value >= 1 && value <= MAX_INT32) return [];
  return [invalid(path.child("activeDeadlineSeconds"), value, messages.between(1, MAX_INT32))];
}

const EFFECTS = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

function validateToleration(toleration: JsonObject, path: FieldPath): FieldError[] {
  const [key, operator, value] = [
    textOf(toleration, "key"),
    textOf(toleration, "operator"),
    textOf(toleration, "value"),
  ];
  const effect = textOf(toleration, "effect");
  const errors = key === "" ? [] : checkQualifiedName(key).map((problem) => invalid(path.child("key"), key, problem));
  const at = path.child("operator");
  if (key === "" && operator !== "Exists") errors.push(invalid(at, operator, messages.keylessToleration()));
  if (has(toleration, "tolerationSeconds") && effect !== "NoExecute") {
    errors.push(invalid(path.child("effect"), effect, messages.tolerationEffect()));
  }
  if (operator === "" || operator === "Equal") {
    const problems = checkLabelValue(value);
    if (problems.length > 0) errors.push(invalid(at, value, problems.join(";")));
  } else if (operator === "Exists") {
    if (value !== "") errors.push(invalid(at, value, messages.tolerationValue()));
  } else errors.push(notSupported(at, operator, ["Equal", "Exists"]));
  if (effect !== "" && !EFFECTS.includes(effect)) errors.push(notSupported(path.child("effect"), effect, EFFECTS));
  return errors;
}

/** In the order in which upstream looks for sources. */
const REQUIRED_MEMBERS: Readonly<Record<string, readonly string[]>> = {
  emptyDir: [],
  hostPath: ["path"],
  gitRepo: ["repository"],
  gcePersistentDisk: ["pdName"],
  awsElasticBlockStore: ["volumeID"],
  secret: ["secretName"],
  nfs: ["server", "path"],
  iscsi: ["targetPortal", "iqn"],
  glusterfs: ["endpoints", "path"],
  flocker: [],
  persistentVolumeClaim: ["claimName"],
  rbd: ["image"],
  cinder: ["volumeID"],
  cephfs: ["monitors"],
  quobyte: ["registry", "volume"],
  downwardAPI: [],
  fc: [],
  flexVolume: ["driver"],
  configMap: ["name"],
  azureFile: ["secretName", "shareName"],
  vsphereVolume: ["volumePath"],
  photonPersistentDisk: ["pdID"],
  portworxVolume: ["volumeID"],
  azureDisk: ["diskName", "diskURI"],
  storageos: ["volumeName"],
  projected: [],
  scaleIO: ["gateway", "system", "volumeName"],
  csi: ["driver"],
  ephemeral: [],
  image: ["reference"],
};

interface Volumes {
  readonly errors: FieldError[];
  readonly names: ReadonlySet<string>;
}

function validateVolumes(volumes: readonly JsonObject[], path: FieldPath): Volumes {
  const names = new Set<string>();
  const errors = volumes.flatMap((volume, index) => {
    const at = path.index(index);
    const name = textOf(volume, "name");
    const found = validateVolumeSource(volume, at);
    found.push(...(name === "" ? [required(at.child("name"))] : labelName(name, at.child("name"))));
    if (names.has(name)) found.push(duplicate(at.child("name"), name));
    if (found.length === 0) names.add(name);
    return found;
  });
  return { errors, names };
}

function validateVolumeSource(volume: JsonObject, path: FieldPath): FieldError[] {
  const kinds = Object.keys(REQUIRED_MEMBERS).filter((kind) => has(volume, kind));
  return kinds.flatMap((kind, index) => {
    if (index > 0) return [forbidden(path.child(kind), messages.manyVolumeTypes())];
    const source = objectOf(volume, kind) ?? {};
    return (REQUIRED_MEMBERS[kind] ?? []).flatMap((member) =>
      Array.isArray(source[member]) ? [] : requiredText(source, member, path.child(kind)),
    );
  });
}

/** Only where a pod itself is created; a template may get its account later. */
function projectedTokens(spec: JsonObject): FieldError[] {
  if (textOf(spec, "serviceAccountName") !== "") return [];
  return objectsOf(spec, "volumes").flatMap((volume, index) => {
    const path = SPEC.child("volumes").index(index).child("projected", "sources");
    return objectsOf(objectOf(volume, "projected"), "sources").flatMap((source, at) =>
      has(source, "serviceAccountToken")
        ? [forbidden(path.index(at).child("serviceAccountToken"), messages.noServiceAccount())]
        : [],
    );
  });
}

/** What an update may change: images, the deadline, more tolerations. */
export function validatePodUpdate(pod: JsonObject, old: JsonObject): FieldError[] {
  const [spec, before] = [objectOf(pod, "spec") ?? {}, objectOf(old, "spec") ?? {}];
  const isKept = deepEqual(comparable(spec), comparable(before));
  return isKept ? [] : [forbidden(SPEC, messages.podUpdate())];
}

function comparable(spec: JsonObject): JsonValue {
  const { activeDeadlineSeconds: _a, tolerations: _b, terminationGracePeriodSeconds: _c, ...rest } = spec;
  for (const key of ["containers", "initContainers"]) {
    rest[key] = objectsOf(spec, key).map((container) => {
      const { image: _, ...others } = container;
      return others;
    });
  }
  return isObject(rest) ? rest : null;
}
