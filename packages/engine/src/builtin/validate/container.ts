/** Containers of pods. Follows validateContainers of pkg/apis/core/validation, for regular and init containers. */
import { duplicate, type FieldError, forbidden, invalid, notFound, required } from "../../field/error.ts";
import { checkQualifiedName } from "../../field/names.ts";
import type { FieldPath } from "../../field/path.ts";
import { isObject, type JsonObject, sortedKeys } from "../../value/json.ts";
import { compareQuantities, parseQuantity, signOf } from "../../value/quantity.ts";
import { has, numberOf, objectOf, objectsOf, textOf } from "../object.ts";
import { labelName, notNegative, oneOf, oneOfIfSet, portName, portNumber, portNumberOrName } from "./checks.ts";
import * as messages from "./messages.ts";
import { PROTOCOLS } from "./service.ts";

export interface ContainerContext {
  /** Names of volumes that are in order. */
  readonly volumes: ReadonlySet<string>;
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
  return validateEach(containers, path, context, taken);
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
    return [...errors, ...validateHooks(container, at)];
  });
}

function validateContainer(container: JsonObject, path: FieldPath, context: ContainerContext): FieldError[] {
  const [name, image] = [textOf(container, "name"), textOf(container, "image")];
  return [
    ...(name === "" ? [required(path.child("name"))] : labelName(name, path.child("name"))),
    ...validateImage(image, path.child("image")),
    ...oneOf(container, "terminationMessagePolicy", ["File", "FallbackToLogsOnError"], path),
    ...validatePorts(objectsOf(container, "ports"), path.child("ports")),
    ...objectsOf(container, "env").flatMap((each, index) => validateEnv(each, path.child("env").index(index))),
    ...objectsOf(container, "envFrom").flatMap((each, index) =>
      validateEnvFrom(each, path.child("envFrom").index(index)),
    ),
    ...validateMounts(container, path.child("volumeMounts"), context),
    ...oneOf(container, "imagePullPolicy", ["Always", "IfNotPresent", "Never"], path),
    ...validateResources(objectOf(container, "resources") ?? {}, path.child("resources")),
  ];
}

function validateImage(image: string, path: FieldPath): FieldError[] {
  if (image === "") return [required(path)];
  return image === image.trim() ? [] : [invalid(path, image, messages.spacedImage())];
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
  if (kind === "resourceFieldRef")
    return textOf(reference, "resource") === "" ? [required(path.child("resource"))] : [];
  return textOf(reference, "key") === "" ? [required(path.child("key"))] : [];
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

function validateEnvFrom(source: JsonObject, path: FieldPath): FieldError[] {
  const kinds = ["configMapRef", "secretRef"].filter((key) => has(source, key));
  if (kinds.length === 0) return [invalid(path, "", messages.noEnvFrom())];
  return kinds.length > 1 ? [invalid(path, "", messages.manyEnvSources())] : [];
}

function validateMounts(container: JsonObject, path: FieldPath, { volumes }: ContainerContext): FieldError[] {
  const paths = new Set<string>();
  return objectsOf(container, "volumeMounts").flatMap((mount, index) => {
    const at = path.index(index);
    const [name, mountPath] = [textOf(mount, "name"), textOf(mount, "mountPath")];
    const errors: FieldError[] = [];
    if (name === "") errors.push(required(at.child("name")));
    else if (!volumes.has(name)) errors.push(notFound(at.child("name"), name));
    if (mountPath === "") errors.push(required(at.child("mountPath")));
    if (paths.has(mountPath)) errors.push(invalid(at.child("mountPath"), mountPath, messages.mustBeUnique()));
    paths.add(mountPath);
    return errors;
  });
}

const STANDARD = new Set(["cpu", "memory", "ephemeral-storage"]);

function validateResources(resources: JsonObject, path: FieldPath): FieldError[] {
  const [limits, requests] = [objectOf(resources, "limits") ?? {}, objectOf(resources, "requests") ?? {}];
  return [
    ...sortedKeys(limits).flatMap((name) => validateAmount(limits, name, path.child("limits"))),
    ...sortedKeys(requests).flatMap((name) => validateRequest(requests, limits, name, path.child("requests"))),
  ];
}

function validateRequest(requests: JsonObject, limits: JsonObject, name: string, path: FieldPath): FieldError[] {
  const errors = validateAmount(requests, name, path);
  const [request, limit] = [parseQuantity(textOf(requests, name)).value, parseQuantity(textOf(limits, name)).value];
  if (request === undefined || limit === undefined || compareQuantities(request, limit) <= 0) return errors;
  return [...errors, invalid(path, textOf(requests, name), messages.aboveLimit(name, textOf(limits, name)))];
}

function validateAmount(list: JsonObject, name: string, path: FieldPath): FieldError[] {
  const at = path.key(name);
  const text = textOf(list, name);
  const quantity = parseQuantity(text).value;
  const isNegative = quantity !== undefined && signOf(quantity) < 0;
  return [...validateResourceName(name, at), ...(isNegative ? [invalid(at, text, messages.notNegative())] : [])];
}

function validateResourceName(name: string, path: FieldPath): FieldError[] {
  const problems = checkQualifiedName(name);
  if (problems.length > 0) return problems.map((problem) => invalid(path, name, problem));
  if (name.includes("/") || STANDARD.has(name) || name.startsWith("hugepages-")) return [];
  return [invalid(path, name, messages.notAStandardResource()), invalid(path, name, messages.notAContainerResource())];
}

function validateHooks(container: JsonObject, path: FieldPath): FieldError[] {
  const lifecycle = objectOf(container, "lifecycle");
  const hooks = ["postStart", "preStop"].filter((key) => has(lifecycle, key));
  return [
    ...hooks.flatMap((key) => validateHandler(objectOf(lifecycle, key) ?? {}, path.child("lifecycle", key))),
    ...["livenessProbe", "readinessProbe", "startupProbe"].flatMap((key) =>
      validateProbe(container, key, path.child(key)),
    ),
  ];
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
