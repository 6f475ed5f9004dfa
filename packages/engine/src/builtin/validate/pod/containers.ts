/** Containers of pods: regular, init and ephemeral. Follows validateContainers of core/validation. */

import {
  type BadValue,
  duplicate,
  type FieldError,
  forbidden,
  invalid,
  notFound,
  notSupported,
  required,
  tooMany,
} from "../../../field/error.ts";
import type { FieldPath } from "../../../field/path.ts";
import { isEnabled } from "../../../value/gates.ts";
import { isArray, type JsonObject } from "../../../value/json.ts";
import { since } from "../../../value/server-version.ts";
import { has, isEmpty, numberOf, objectOf, objectsOf, textOf } from "../../object.ts";
import { eachOf, labelName, oneOf, portName, portNumber, supportedIfSet } from "../checks.ts";
import { unquoted } from "../go-values.ts";
import { PROTOCOLS } from "../networking/protocols.ts";
import { validateEnv, validateEnvFrom } from "./env.ts";
import { validateLifecycle, validateProbes } from "./handlers.ts";
import * as messages from "./messages.ts";
import { type VolumeNames, validateDevices, validateMounts } from "./mounts.ts";
import { validateContainerResources } from "./resources.ts";
import { validateContainerSecurity } from "./security.ts";

export interface ContainerContext {
  readonly volumes: VolumeNames;
  /** Names of the claims of the pod. */
  readonly claims: readonly string[];
  readonly graceSeconds: number;
  readonly restartPolicy: string;
  /** Whether users of the pod are those of its node. */
  readonly hostUsers: boolean;
}

export function validateContainers(spec: JsonObject, path: FieldPath, context: ContainerContext): FieldError[] {
  const containers = objectsOf(spec, "containers");
  const list = path.child("containers");
  if (containers.length === 0) return [required(list)];
  const names = new Set<string>();
  const errors = containers.flatMap((container, index) => {
    const at = list.index(index);
    return [
      ...validateCommon(container, at, context),
      ...takeName(textOf(container, "name"), names, at),
      ...validateLifecycle(container, context.graceSeconds, at),
      ...validateProbes(container, at),
      ...restartRules(container, at, false),
    ];
  });
  return [...errors, ...hostPortConflicts(containers, list)];
}

function takeName(name: string, names: Set<string>, path: FieldPath): FieldError[] {
  if (names.has(name)) return [duplicate(path.child("name"), name)];
  names.add(name);
  return [];
}

export function validateInitContainers(spec: JsonObject, path: FieldPath, context: ContainerContext): FieldError[] {
  const names = new Set(objectsOf(spec, "containers").map((container) => textOf(container, "name")));
  return eachOf(spec, "initContainers", path, (container, at) => {
    const isSidecar = textOf(container, "restartPolicy") === "Always";
    const name = textOf(container, "name");
    return [
      ...validateCommon(container, at, context),
      ...restartRules(container, at, true),
      ...(name === "" && !names.has(name) ? [] : takeName(name, names, at)),
      ...hostPortConflicts([container], path.child("initContainers")),
      ...(isSidecar
        ? [...validateLifecycle(container, context.graceSeconds, at), ...validateProbes(container, at)]
        : [...onlyForSidecars(container, at), ...resizedInPlace(container, at)]),
    ];
  });
}

/** What a container that ends before the others start has no use for. */
function onlyForSidecars(container: JsonObject, path: FieldPath): FieldError[] {
  const unwanted = ["lifecycle", "livenessProbe", "readinessProbe", "startupProbe"];
  return unwanted
    .filter((key) => has(container, key))
    .map((key) => forbidden(path.child(key), messages.onlyForSidecars()));
}

function resizedInPlace(container: JsonObject, path: FieldPath): FieldError[] {
  return eachOf(container, "resizePolicy", path, (policy, at) =>
    textOf(policy, "restartPolicy") === "RestartContainer"
      ? [invalid(at.child("restartPolicy"), "RestartContainer", messages.noRestartContainer())]
      : [],
  );
}

/** Members of a container that one started later may have. */
const EPHEMERAL_MEMBERS = new Set([
  ...["name", "image", "command", "args", "workingDir", "envFrom", "env", "volumeMounts", "terminationMessagePath"],
  ...["terminationMessagePolicy", "imagePullPolicy", "securityContext", "stdin", "stdinOnce", "tty"],
  ...["volumeDevices", "targetContainerName"],
]);

export function validateEphemeralContainers(
  spec: JsonObject,
  path: FieldPath,
  context: ContainerContext,
): FieldError[] {
  const others = [...objectsOf(spec, "containers"), ...objectsOf(spec, "initContainers")];
  const names = new Set(others.map((container) => textOf(container, "name")));
  const targets = new Set(names);
  return eachOf(spec, "ephemeralContainers", path, (container, at) => {
    const target = textOf(container, "targetContainerName");
    const isKnown = target === "" || targets.has(target);
    const unwanted = Object.keys(container).filter((key) => !EPHEMERAL_MEMBERS.has(key) && isGiven(container, key));
    return [
      ...validateCommon(container, at, context),
      ...unspacedImage(container, at),
      ...takeName(textOf(container, "name"), names, at),
      ...(isKnown ? [] : [notFound(at.child("targetContainerName"), target)]),
      ...unwanted.map((key) => forbidden(at.child(key), messages.notForEphemeral())),
      ...eachOf(container, "volumeMounts", at, (mount, place) =>
        ["subPath", "subPathExpr"]
          .filter((key) => textOf(mount, key) !== "")
          .map((key) => forbidden(place.child(key), messages.notForEphemeral())),
      ),
    ];
  });
}

function isGiven(container: JsonObject, key: string): boolean {
  return key === "resources" ? !isEmpty(container[key]) : has(container, key);
}

/** Templates may have spaces around an image, because they once could. */
export function unspacedImage(container: JsonObject, path: FieldPath): FieldError[] {
  const image = textOf(container, "image");
  return image === image.trim() ? [] : [invalid(path.child("image"), image, messages.spacedImage())];
}

function validateCommon(container: JsonObject, path: FieldPath, context: ContainerContext): FieldError[] {
  const name = textOf(container, "name");
  const [security, resources] = [objectOf(container, "securityContext"), objectOf(container, "resources")];
  return [
    ...(name === "" ? [required(path.child("name"))] : labelName(name, path.child("name"))),
    ...(textOf(container, "image") === "" ? [required(path.child("image"))] : []),
    ...oneOf(container, "terminationMessagePolicy", ["File", "FallbackToLogsOnError"], path),
    ...validatePorts(container, path),
    ...validateEnv(container, path),
    ...validateEnvFrom(container, path),
    ...validateMounts(container, path, context.volumes),
    ...validateDevices(container, path, context.volumes),
    ...oneOf(container, "imagePullPolicy", ["Always", "IfNotPresent", "Never"], path),
    ...(resources === undefined ? [] : validateContainerResources(resources, context.claims, path.child("resources"))),
    ...validateResizePolicies(container, path.child("resizePolicy"), context.restartPolicy),
    ...(security === undefined
      ? []
      : validateContainerSecurity(security, path.child("securityContext"), context.hostUsers)),
  ];
}

function validatePorts(container: JsonObject, path: FieldPath): FieldError[] {
  const names = new Set<string>();
  return eachOf(container, "ports", path, (port, at) => {
    const [name, number, hostPort] = [
      textOf(port, "name"),
      numberOf(port, "containerPort"),
      numberOf(port, "hostPort"),
    ];
    const errors = name === "" ? [] : portName(name, at.child("name"));
    if (name !== "" && errors.length === 0) errors.push(...takeName(name, names, at));
    if (number === 0) errors.push(required(at.child("containerPort")));
    else errors.push(...portNumber(number, at.child("containerPort")));
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

const RESIZED = ["cpu", "memory"];
const RESIZES = ["NotRequired", "RestartContainer"];

/** Upstream's paths name neither the place in the list nor the member. */
function validateResizePolicies(container: JsonObject, path: FieldPath, podRestart: string): FieldError[] {
  const seen = new Set<string>();
  return objectsOf(container, "resizePolicy").flatMap((policy, index) => {
    const [resource, restart] = [textOf(policy, "resourceName"), textOf(policy, "restartPolicy")];
    const isRepeated = seen.has(resource);
    seen.add(resource);
    return [
      ...(isRepeated ? [duplicate(path.index(index), unquoted(resource))] : []),
      ...chosen(resource, RESIZED, path, unquoted(resource)),
      ...chosen(restart, RESIZES, path),
      ...(podRestart === "Never" && restart !== "NotRequired"
        ? [invalid(path, restart, messages.notRequiredWhenNever())]
        : []),
    ];
  });
}

function chosen(value: string, supported: readonly string[], path: FieldPath, shown: BadValue = value): FieldError[] {
  if (value === "") return [required(path)];
  return supported.includes(value) ? [] : [notSupported(path, shown, supported)];
}

const POLICIES = ["Always", "Never", "OnFailure"];
const ruleActions = (): string[] => (since("1.36") ? ["Restart", "RestartAllContainers"] : ["Restart"]);
const OPERATORS = ["In", "NotIn"];
const MAX_RULES = 20;
const MAX_CODES = 255;

/** Rules of init containers without a policy are not looked at. */
function restartRules(container: JsonObject, path: FieldPath, isInit: boolean): FieldError[] {
  const rules = objectsOf(container, "restartPolicyRules");
  if (!has(container, "restartPolicy")) {
    if (rules.length === 0) return [];
    const missing = required(path.child("restartPolicy"), messages.policyForRules());
    return isInit ? [missing] : [missing, ...eachRule(container, rules, path)];
  }
  if (!isEnabled("ContainerRestartRules")) {
    return isInit
      ? supportedIfSet(container, "restartPolicy", ["Always"], path)
      : [forbidden(path.child("restartPolicy"), messages.onlyForInit())];
  }
  return [...supportedIfSet(container, "restartPolicy", POLICIES, path), ...eachRule(container, rules, path)];
}

function eachRule(container: JsonObject, rules: readonly JsonObject[], path: FieldPath): FieldError[] {
  const list = path.child("restartPolicyRules");
  return [
    ...(rules.length > MAX_RULES ? [tooMany(list, rules.length, MAX_RULES)] : []),
    ...eachOf(container, "restartPolicyRules", path, (rule, at) => {
      const [action, codes] = [textOf(rule, "action"), objectOf(rule, "exitCodes")];
      const isAction = ruleActions().includes(action);
      return [
        ...(isAction ? [] : [notSupported(at.child("action"), action, ruleActions())]),
        ...(codes === undefined
          ? [required(at.child("exitCodes"), messages.mustBeSpecified())]
          : exitCodes(codes, at.child("exitCodes"))),
      ];
    }),
  ];
}

function exitCodes(codes: JsonObject, path: FieldPath): FieldError[] {
  const operator = textOf(codes, "operator");
  const count = isArray(codes["values"]) ? codes["values"].length : 0;
  return [
    ...(OPERATORS.includes(operator) ? [] : [notSupported(path.child("operator"), operator, OPERATORS)]),
    ...(count > MAX_CODES ? [tooMany(path.child("values"), count, MAX_CODES)] : []),
  ];
}
