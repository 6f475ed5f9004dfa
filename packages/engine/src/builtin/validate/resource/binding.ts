/** Conditions that a device waits for before a pod is bound, and those that end the wait. */
import { duplicate, type FieldError, invalid, tooMany } from "../../../field/error.ts";
import type { FieldPath } from "../../../field/path.ts";
import type { JsonObject } from "../../../value/json.ts";
import { textsOf } from "../../object.ts";
import { repeatedPlaces } from "../../repeats.ts";
import { eachTextOf, qualifiedName } from "../checks.ts";
import { repeated } from "./lists.ts";
import * as messages from "./messages.ts";

const [WAITED_FOR, FAILURES] = ["bindingConditions", "bindingFailureConditions"] as const;

export function validateBindingConditions(device: JsonObject, path: FieldPath): FieldError[] {
  const [waited, failures] = [textsOf(device, WAITED_FOR), textsOf(device, FAILURES)];
  const [waits, twice] = [new Set(waited), repeatedPlaces(failures)];
  return [
    ...names(device, WAITED_FOR, path),
    ...names(device, FAILURES, path),
    ...repeated(waited, path.child(WAITED_FOR)),
    ...failures.flatMap((name, index) => {
      const at = path.child(FAILURES);
      const again = twice.has(index) ? [duplicate(at.index(index), name)] : [];
      return waits.has(name) ? [...again, invalid(at.index(index), name, messages.overlap())] : again;
    }),
    ...(waited.length === 0 && failures.length > 0
      ? [missing(device, WAITED_FOR, path, messages.needConditions())]
      : []),
    ...(failures.length === 0 && waited.length > 0
      ? [missing(device, FAILURES, path, messages.needFailureConditions())]
      : []),
  ];
}

function missing(device: JsonObject, key: string, path: FieldPath, problem: string): FieldError {
  return invalid(path.child(key), device[key] ?? null, problem);
}

const MAX_CONDITIONS = 4;

function names(device: JsonObject, key: string, path: FieldPath): FieldError[] {
  const { length } = textsOf(device, key);
  if (length > MAX_CONDITIONS) return [tooMany(path.child(key), length, MAX_CONDITIONS)];
  return eachTextOf(device, key, path, qualifiedName);
}
