/** Containers of pods. Follows validateContainers of pkg/apis/core/validation, for regular and init containers. */
import { duplicate, type FieldError, forbidden, invalid, notFound, notSupported, required } from "../../field/error.ts";
import { checkQualifiedName } from "../../field/names.ts";
import type { FieldPath } from "../../field/path.ts";
import { isObject, type JsonObject, sortedKeys } from "../../value/json.ts";
import { compareQuantities, parseQuantity, type Quantity, signOf } from "../../value/quantity.ts";
import { has, numberOf, objectOf, objectsOf, textOf } from "../object.ts";
import {
  labelName,
  notNegative,
  oneOf,
  oneOfIfSet,
  portName,
  portNumber,
  portNumberOrName,
  requiredText,
  subdomain,
} from "./checks.ts";
import * as messages from "./messages.ts";
import { relativePath } from "./paths.ts";
import { validateContainerSecurity } from "./security.ts";
import { PROTOCOLS } from "./service.ts";

export interface ContainerContext {
  /** Names of volumes that are in order, with the kind of their source. */
  readonly volumes: ReadonlyMap<string, string>;
  /** Names of the claims of the pod. */
  readonly claims: readonly string[];
  readonly graceSeconds: number;
  readonly isTemplate: boolean;
}

export function validateContainers(
  containers: readonly JsonObject[],
  path: FieldPath,
  context: ContainerContext,
): FieldError[] {
  if (containers.length === 0) return [required(path)];
  return [...validateEach(containers, path, context, new Set()), ...hostPortConflicts(containers, path)];
}

export function validateInitContainers(
  containers: readonly JsonObject[],
  regular: readonly JsonObject[],
  path: FieldPath,
  context: ContainerContext,
): FieldError[] {
  const taken = new Set(regular.map((container) => textOf(container, "name")));
  return [
    ...validateEach(containers, path, context, taken),
    ...containers.flatMap((container, index) => onlyForSidecars(container, path.index(index))),
  ];
}

/** What a container that ends before the others start has no use for. */
function onlyForSidecars(container: JsonObject, path: FieldPath): FieldError[] {
  if (textOf(container, "restartPolicy") === "Always") return [];
  const unwanted = ["lifecycle", "livenessProbe", "readinessProbe", "startupProbe"].filter((key) =>
    has(container, key),
  );
  return unwanted.map((key) => forbidden(path.child(key), messages.onlyForSidecars()));
}

function validateEach(
  containers: readonly JsonObject[],
  path: FieldPath,
  context: ContainerContext,
  names: Set<string>,
): FieldError[] {
  return containers.flatMap((container, index) => {
    const at = path.index(index);
    const name = textOf(container, "name");
    const errors = validateContainer(container, at, context);
    if (name !== "" && names.has(name)) errors.push(duplicate(at.child("name"), name));
    names.add(name);
    return [...errors, ...validateHooks(container, at, context)];
  });
}

function validateContainer(container: JsonObject, path: FieldPath, context: ContainerContext): FieldError[] {
  const [name, image] = [textOf(container, "name"), textOf(container, "image")];
  const security = objectOf(container, "securityContext");
  return [
    ...(name === "" ? [required(path.child("name"))] : labelName(name, path.child("name"))),
    ...validateImage(image, path.child("image"), context),
    ...oneOf(container, "terminationMessagePolicy", ["File", "FallbackToLogsOnError"], path),
    ...validatePorts(objectsOf(container, "ports"), path.child("ports")),
    ...objectsOf(container, "env").flatMap((each, index) => validateEnv(each, path.child("env").index(index))),
    ...objectsOf(container, "envFrom").flatMap((each, index) => validateEnvFrom(each, path.child("envFrom"), index)),
    ...validateMounts(container, path.child("volumeMounts"), context),
    ...oneOf(container, "imagePullPolicy", ["Always", "IfNotPresent", "Never"], path),
    ...validateDevices(container, path.child("volumeDevices"), context),
    ...validateResources(objectOf(container, "resources") ?? {}, path.child("resources"), context),
    ...objectsOf(container, "resizePolicy").flatMap((each) => validateResizePolicy(each, path.child("resizePolicy"))),
    ...oneOfIfSet(container, "restartPolicy", ["Always", "Never", "OnFailure"], path),
    ...(security === undefined ? [] : validateContainerSecurity(security, path.child("securityContext"))),
  ];
}

/** Upstream's paths name neither the place in the list nor the member. */
function validateResizePolicy(policy: JsonObject, path: FieldPath): FieldError[] {
  const [resource, restart] = [textOf(policy, "resourceName"), textOf(policy, "restartPolicy")];
  const [resources, restarts] = [
    ["cpu", "memory"],
    ["NotRequired", "RestartContainer"],
  ];
  if (resource === "" || restart === "") return [required(path)];
  return [
    ...(resources.includes(resource) ? [] : [notSupported(path, resource, resources)]),
    ...(restarts.includes(restart) ? [] : [notSupported(path, restart, restarts)]),
  ];
}

const BLOCK_SOURCES = ["persistentVolumeClaim", "ephemeral"];

function validateDevices(container: JsonObject, path: FieldPath, { volumes }: ContainerContext): FieldError[] {
  const mounted = new Set(objectsOf(container, "volumeMounts").map((mount) => textOf(mount, "name")));
  return objectsOf(container, "volumeDevices").flatMap((device, index) => {
    const at = path.index(index).child("name");
    const name = textOf(device, "name");
    const source = volumes.get(name);
    const errors: FieldError[] = [];
    if (name === "") errors.push(required(at));
    else if (source === undefined) errors.push(notFound(at, name));
    else if (!BLOCK_SOURCES.includes(source)) errors.push(invalid(at, name, messages.notABlockSource()));
    if (mounted.has(name)) errors.push(invalid(at, name, messages.alreadyIn("volumeMounts")));
    return errors;
  });
}

/** Templates may have spaces around an image, because they once could. */
function validateImage(image: string, path: FieldPath, { isTemplate }: ContainerContext): FieldError[] {
  if (image === "") return [required(path)];
  return isTemplate || image === image.trim() ? [] : [invalid(path, image, messages.spacedImage())];
}

function validatePorts(ports: readonly JsonObject[], path: FieldPath): FieldError[] {
  const names = new Set<string>();
  return ports.flatMap((port, index) => {
    const at = path.index(index);
    const [name, containerPort, hostPort] = [
      textOf(port, "name"),
      numberOf(port, "containerPort"),
      numberOf(port, "hostPort"),
    ];
    const errors = name === "" ? [] : portName(name, at.child("name"));
    if (name !== "" && errors.length === 0) {
      if (names.has(name)) errors.push(duplicate(at.child("name"), name));
      names.add(name);
    }
    if (containerPort === 0) errors.push(required(at.child("containerPort")));
    else errors.push(...portNumber(containerPort, at.child("containerPort")));
    if (hostPort !== 0) errors.push(...portNumber(hostPort, at.child("hostPort")));
    return [...errors, ...oneOf(port, "protocol", PROTOCOLS, at)];
  });
}

function hostPortConflicts(containers: readonly JsonObject[], path: FieldPath): FieldError[] {
  const used = new Set<string>();
  return containers.flatMap((container, index) =>
    objectsOf(container, "ports").flatMap((port, portIndex) => {
      const hostPort = numberOf(port, "hostPort");
      if (hostPort === 0) return [];
      const key = `${textOf(port, "protocol")}/${textOf(port, "hostIP")}/${hostPort}`;
      const at = path.index(index).child("ports").index(portIndex).child("hostPort");
      if (used.has(key)) return [duplicate(at, key)];
      used.add(key);
      return [];
    }),
  );
}

const ENV_NAME = /^[ -<>-~]+$/;
const ENV_SOURCES = ["fieldRef", "resourceFieldRef", "configMapKeyRef", "secretKeyRef", "fileKeyRef"];

function validateEnv(env: JsonObject, path: FieldPath): FieldError[] {
  const name = textOf(env, "name");
  const errors: FieldError[] = [];
  if (name === "") errors.push(required(path.child("name")));
  else if (!ENV_NAME.test(name)) errors.push(invalid(path.child("name"), name, messages.badEnvName()));
  const source = objectOf(env, "valueFrom");
  return source === undefined ? errors : [...errors, ...validateEnvSource(env, source, path.child("valueFrom"))];
}

function validateEnvSource(env: JsonObject, source: JsonObject, path: FieldPath): FieldError[] {
  const sources = ENV_SOURCES.filter((key) => has(source, key));
  const errors = sources.flatMap((key) => validateEnvReference(key, objectOf(source, key) ?? {}, path.child(key)));
  if (textOf(env, "value") !== "") {
    return sources.length === 0 ? errors : [...errors, invalid(path, "", messages.valueAndSource())];
  }
  if (sources.length === 0) return [...errors, invalid(path, "", messages.noEnvSource())];
  return sources.length > 1 ? [...errors, invalid(path, "", messages.manyEnvSources())] : errors;
}

function validateEnvReference(kind: string, reference: JsonObject, path: FieldPath): FieldError[] {
  if (kind === "fieldRef") return validateFieldRef(reference, path);
  if (kind === "resourceFieldRef") return validateResourceRef(reference, path.child("resource"));
  const name = textOf(reference, "name");
  return [
    ...(kind === "fileKeyRef" ? [] : subdomain(name, path.child("name"))),
    ...(textOf(reference, "key") === "" ? [required(path.child("key"))] : []),
  ];
}

const RESOURCE_FIELDS = [
  ...["limits.cpu", "limits.ephemeral-storage", "limits.memory"],
  ...["requests.cpu", "requests.ephemeral-storage", "requests.memory"],
];

function validateResourceRef(reference: JsonObject, path: FieldPath): FieldError[] {
  const resource = textOf(reference, "resource");
  if (resource === "") return [required(path)];
  const isKnown = RESOURCE_FIELDS.includes(resource) || /^(limits|requests)\.hugepages-/.test(resource);
  return isKnown ? [] : [notSupported(path, resource, RESOURCE_FIELDS)];
}

const FIELD_PATHS = new Set([
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
  "spec.nodeName",
  "spec.serviceAccountName",
  "status.hostIP",
  "status.hostIPs",
  "status.podIP",
  "status.podIPs",
]);
const SUBSCRIPTED = /^metadata\.(annotations|labels)\['.*'\]$/;
const KNOWN_LABELS = new Set([
  "metadata.annotations",
  "metadata.labels",
  "status.phase",
  "spec.restartPolicy",
  "spec.schedulerName",
]);

function validateFieldRef(reference: JsonObject, path: FieldPath): FieldError[] {
  const fieldPath = textOf(reference, "fieldPath");
  const at = path.child("fieldPath");
  if (fieldPath === "") return [required(at)];
  if (FIELD_PATHS.has(fieldPath) || SUBSCRIPTED.test(fieldPath)) return [];
  if (!KNOWN_LABELS.has(fieldPath)) return [invalid(at, fieldPath, messages.unknownFieldPath(fieldPath))];
  return [invalid(at, fieldPath, messages.notForEnv())];
}

/** What is wrong with the choice of a source is said about the list. */
function validateEnvFrom(source: JsonObject, list: FieldPath, index: number): FieldError[] {
  const path = list.index(index);
  const kinds = ["configMapRef", "secretRef"].filter((key) => has(source, key));
  const prefix = textOf(source, "prefix");
  const errors = kinds.flatMap((key) => requiredText(objectOf(source, key) ?? {}, "name", path.child(key)));
  if (prefix !== "" && !ENV_NAME.test(prefix))
    errors.unshift(invalid(path.child("prefix"), prefix, messages.badEnvName()));
  if (kinds.length === 0) return [...errors, invalid(list, "", messages.noEnvFrom())];
  return kinds.length > 1 ? [...errors, invalid(list, "", messages.manyEnvSources())] : errors;
}

function validateMounts(container: JsonObject, path: FieldPath, { volumes }: ContainerContext): FieldError[] {
  const paths = new Set<string>();
  const devices = new Set(objectsOf(container, "volumeDevices").map((device) => textOf(device, "name")));
  return objectsOf(container, "volumeMounts").flatMap((mount, index) => {
    const at = path.index(index);
    const [name, mountPath] = [textOf(mount, "name"), textOf(mount, "mountPath")];
    const errors: FieldError[] = [];
    if (name === "") errors.push(required(at.child("name")));
    if (!volumes.has(name)) errors.push(notFound(at.child("name"), name));
    if (mountPath === "") errors.push(required(at.child("mountPath")));
    if (paths.has(mountPath)) errors.push(invalid(at.child("mountPath"), mountPath, messages.mustBeUnique()));
    paths.add(mountPath);
    if (devices.has(name)) errors.push(invalid(at.child("name"), name, messages.alreadyIn("volumeDevices")));
    const subPath = textOf(mount, "subPath");
    return subPath === "" ? errors : [...errors, ...relativePath(subPath, path.child("subPath"))];
  });
}

const STANDARD = new Set(["cpu", "memory", "ephemeral-storage"]);

function validateResources(resources: JsonObject, path: FieldPath, { claims }: ContainerContext): FieldError[] {
  const [limits, requests] = [objectOf(resources, "limits") ?? {}, objectOf(resources, "requests") ?? {}];
  return [
    ...objectsOf(resources, "claims").flatMap((claim, index) => {
      const name = textOf(claim, "name");
      return claims.includes(name) ? [] : [unknownClaim(name, claims, path.child("claims").index(index))];
    }),
    ...sortedKeys(limits).flatMap((name) => validateAmount(limits, name, path.child("limits"))),
    ...sortedKeys(requests).flatMap((name) => validateRequest(requests, limits, name, path)),
  ];
}

function unknownClaim(name: string, claims: readonly string[], path: FieldPath): FieldError {
  return { ...notFound(path, name), detail: messages.unknownClaim(claims) };
}

function validateRequest(requests: JsonObject, limits: JsonObject, name: string, resources: FieldPath): FieldError[] {
  const path = resources.child("requests");
  const errors = validateAmount(requests, name, path);
  if (isWhole(name) && !has(limits, name)) errors.push(required(resources.child("limits"), messages.limitNeeded()));
  const [request, limit] = [parseQuantity(textOf(requests, name)).value, parseQuantity(textOf(limits, name)).value];
  const order = request === undefined || limit === undefined ? 0 : compareQuantities(request, limit);
  if (order === 0 || (order < 0 && !isWhole(name))) return errors;
  const detail = isWhole(name) ? messages.unlikeLimit : messages.aboveLimit;
  return [...errors, invalid(path, textOf(requests, name), detail(name, textOf(limits, name)))];
}

function validateAmount(list: JsonObject, name: string, path: FieldPath): FieldError[] {
  const at = path.key(name);
  const text = textOf(list, name);
  const quantity = parseQuantity(text).value;
  const isNegative = quantity !== undefined && signOf(quantity) < 0;
  const isBroken = isWhole(name) && quantity !== undefined && !isIntegral(quantity);
  return [
    ...validateResourceName(name, at),
    ...(isNegative ? [invalid(at, text, messages.notNegative())] : []),
    ...(isBroken ? [invalid(at, text, messages.mustBeInteger())] : []),
  ];
}

/** Resources of others come in whole numbers and are not overcommitted. */
function isWhole(name: string): boolean {
  return (name.includes("/") && !/(^|\.)kubernetes\.io\//.test(name)) || name.startsWith("hugepages-");
}

function isIntegral({ unscaled, exponent }: Quantity): boolean {
  return exponent >= 0 || unscaled % 10n ** BigInt(-exponent) === 0n;
}

function validateResourceName(name: string, path: FieldPath): FieldError[] {
  const problems = checkQualifiedName(name).map((problem) => invalid(path, name, problem));
  if (problems.length > 0) {
    return name.includes("/") ? problems : [...problems, invalid(path, name, messages.notAContainerResource())];
  }
  if (name.includes("/") || STANDARD.has(name) || name.startsWith("hugepages-")) return [];
  return [invalid(path, name, messages.notAStandardResource()), invalid(path, name, messages.notAContainerResource())];
}

function validateHooks(container: JsonObject, path: FieldPath, { graceSeconds }: ContainerContext): FieldError[] {
  const lifecycle = objectOf(container, "lifecycle");
  const hooks = ["postStart", "preStop"].filter((key) => has(lifecycle, key));
  return [
    ...hooks.flatMap((key) => {
      const hook = objectOf(lifecycle, key) ?? {};
      const at = path.child("lifecycle", key);
      return [...validateHandler(hook, at), ...validateSleep(hook, graceSeconds, at.child("sleep"))];
    }),
    ...["livenessProbe", "readinessProbe", "startupProbe"].flatMap((key) =>
      validateProbe(container, key, path.child(key)),
    ),
  ];
}

function validateSleep(hook: JsonObject, graceSeconds: number, path: FieldPath): FieldError[] {
  const sleep = objectOf(hook, "sleep");
  const seconds = numberOf(sleep, "seconds");
  const isWrong = sleep !== undefined && (seconds < 0 || seconds > graceSeconds);
  return isWrong ? [invalid(path, seconds, messages.sleepRange(graceSeconds))] : [];
}

const PROBE_NUMBERS = [
  "initialDelaySeconds",
  "timeoutSeconds",
  "periodSeconds",
  "successThreshold",
  "failureThreshold",
];

function validateProbe(container: JsonObject, kind: string, path: FieldPath): FieldError[] {
  const probe = objectOf(container, kind);
  if (probe === undefined) return [];
  const errors = [...validateHandler(probe, path), ...PROBE_NUMBERS.flatMap((key) => notNegative(probe, key, path))];
  const threshold = numberOf(probe, "successThreshold");
  const grace = probe["terminationGracePeriodSeconds"];
  const at = path.child("terminationGracePeriodSeconds");
  if (typeof grace === "number" && kind === "readinessProbe")
    errors.push(invalid(at, grace, messages.notForReadiness()));
  else if (typeof grace === "number" && grace <= 0) errors.push(invalid(at, grace, messages.positive()));
  if (kind === "readinessProbe" || threshold === 1) return errors;
  return [...errors, invalid(path.child("successThreshold"), threshold, messages.mustBeOne())];
}

function validateHandler(handler: JsonObject, path: FieldPath): FieldError[] {
  const kinds = ["exec", "httpGet", "tcpSocket", "grpc", "sleep"].filter((key) => isObject(handler[key]));
  if (kinds.length === 0) return [required(path, messages.noHandler())];
  return kinds.flatMap((kind, index) => {
    if (index > 0) return [forbidden(path.child(kind), messages.manyHandlers())];
    return validateAction(kind, objectOf(handler, kind) ?? {}, path.child(kind));
  });
}

function validateAction(kind: string, action: JsonObject, path: FieldPath): FieldError[] {
  switch (kind) {
    case "exec":
      return has(action, "command") ? [] : [required(path.child("command"))];
    case "httpGet":
      return [
        ...(textOf(action, "path") === "" ? [required(path.child("path"))] : []),
        ...portNumberOrName(action["port"], path.child("port")),
        ...oneOfIfSet(action, "scheme", ["HTTP", "HTTPS"], path),
      ];
    case "tcpSocket":
      return portNumberOrName(action["port"], path.child("port"));
    case "grpc":
      return portNumber(numberOf(action, "port"), path.child("port"));
    default:
      return [];
  }
}
