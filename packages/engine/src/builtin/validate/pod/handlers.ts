/** Probes and hooks of containers. Follows validateProbe and validateLifecycle of core/validation. */

import { type FieldError, forbidden, invalid, required } from "../../../field/error.ts";
import type { FieldPath } from "../../../field/path.ts";
import { isEnabled } from "../../../value/gates.ts";
import type { JsonObject } from "../../../value/json.ts";
import { has, numberOf, objectOf, objectsOf, textOf, textsOf } from "../../object.ts";
import { notNegative, oneOf, portNumber, portNumberOrName } from "../checks.ts";
import { positive } from "../messages.ts";
import * as messages from "./messages.ts";

/** `graceSeconds` is how long the pod may take to end. */
export function validateLifecycle(container: JsonObject, graceSeconds: number, path: FieldPath): FieldError[] {
  const lifecycle = objectOf(container, "lifecycle");
  if (lifecycle === undefined) return [];
  return ["postStart", "preStop"].flatMap((key) => {
    const hook = objectOf(lifecycle, key);
    return hook === undefined ? [] : validateHandler(hook, HOOKS, graceSeconds, path.child("lifecycle", key));
  });
}

export function validateProbes(container: JsonObject, path: FieldPath): FieldError[] {
  return ["livenessProbe", "readinessProbe", "startupProbe"].flatMap((key) => {
    const probe = objectOf(container, key);
    return probe === undefined ? [] : validateProbe(probe, key, path.child(key));
  });
}

const NUMBERS = ["initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold"];

function validateProbe(probe: JsonObject, kind: string, path: FieldPath): FieldError[] {
  const [threshold, grace] = [numberOf(probe, "successThreshold"), numberOf(probe, "terminationGracePeriodSeconds")];
  const hasGrace = has(probe, "terminationGracePeriodSeconds");
  const at = path.child("terminationGracePeriodSeconds");
  const errors = [
    ...validateHandler(probe, PROBES, 0, path),
    ...NUMBERS.flatMap((key) => notNegative(probe, key, path)),
    ...(hasGrace && grace <= 0 ? [invalid(at, grace, positive())] : []),
  ];
  if (kind === "readinessProbe") {
    return hasGrace ? [...errors, invalid(at, grace, messages.notForReadiness())] : errors;
  }
  if (threshold === 1) return errors;
  return [...errors, invalid(path.child("successThreshold"), threshold, messages.mustBeOne())];
}

const PROBES = ["exec", "httpGet", "tcpSocket", "grpc"];
const HOOKS = ["exec", "httpGet", "tcpSocket", "sleep"];

function validateHandler(
  handler: JsonObject,
  actions: readonly string[],
  graceSeconds: number,
  path: FieldPath,
): FieldError[] {
  const kinds = actions.filter((key) => has(handler, key));
  if (kinds.length === 0) return [required(path, messages.noHandler())];
  return kinds.flatMap((kind, index) => {
    if (index > 0) return [forbidden(path.child(kind), messages.manyHandlers())];
    return validateAction(kind, objectOf(handler, kind) ?? {}, graceSeconds, path.child(kind));
  });
}

function validateAction(kind: string, action: JsonObject, graceSeconds: number, path: FieldPath): FieldError[] {
  switch (kind) {
    case "exec":
      return textsOf(action, "command").length > 0 ? [] : [required(path.child("command"))];
    case "httpGet":
      return httpGet(action, path);
    case "tcpSocket":
      return portNumberOrName(action["port"], path.child("port"));
    case "grpc":
      return portNumber(numberOf(action, "port"), path.child("port"));
    default:
      return sleep(numberOf(action, "seconds"), graceSeconds, path);
  }
}

const HEADER = /^[-A-Za-z0-9]+$/;

function httpGet(action: JsonObject, path: FieldPath): FieldError[] {
  const headers = objectsOf(action, "httpHeaders").map((header) => textOf(header, "name"));
  return [
    ...(textOf(action, "path") === "" ? [required(path.child("path"))] : []),
    ...portNumberOrName(action["port"], path.child("port")),
    ...oneOf(action, "scheme", ["HTTP", "HTTPS"], path),
    ...headers
      .filter((name) => !HEADER.test(name))
      .map((name) => invalid(path.child("httpHeaders"), name, messages.badHeader())),
  ];
}

function sleep(seconds: number, graceSeconds: number, path: FieldPath): FieldError[] {
  const isTooShort = seconds < 0 || (seconds === 0 && !isEnabled("PodLifecycleSleepActionAllowZero"));
  const isWrong = isTooShort || seconds > graceSeconds;
  return isWrong ? [invalid(path, seconds, messages.sleepRange(graceSeconds))] : [];
}
