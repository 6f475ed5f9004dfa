/** Writes in cases of our own format: a single write, or steps. */
import { isArray, isObject, type JsonObject } from "@portcullis/engine/internal/value/json";
import { UsageError } from "../../input/usage-error.ts";
import type { Fields } from "../../policy/fields.ts";
import { loadObject } from "../../policy/load.ts";
import * as messages from "../../policy/messages.ts";
import { readRequestFields } from "../../policy/request-fields.ts";
import type { WriteAction, WriteStep, WritesSubject } from "../suite.ts";
import { readExpectation } from "./own-expectation.ts";

const OBJECT_ACTIONS = ["create", "update", "status"] as const;
const FIELD_VALIDATIONS = ["Strict", "Warn", "Ignore"] as const;
const USER_FIELDS = ["user", "groups", "namespace", "dryRun"];

export function isWrites(fields: Fields): boolean {
  return ["steps", ...OBJECT_ACTIONS].some((name) => fields.has(name));
}

export function readWrites(fields: Fields, folder: string, objects: readonly JsonObject[]): WritesSubject {
  if (fields.has("steps")) {
    const steps = fields.each("steps");
    if (steps.length === 0) throw new UsageError(messages.missingField(fields.place, "steps"));
    return { type: "writes", objects, steps: steps.map((step) => readStep(step, folder, step.name)) };
  }
  const live = fields.any("live");
  const write = readWrite(fields, folder, "");
  if (live === undefined) return { type: "writes", objects, steps: [write] };
  const object = loadObject(live, `${fields.place}: live`, folder);
  return { type: "writes", objects, steps: [{ ...write, action: { type: "live", object }, expect: {} }, write] };
}

function readStep(fields: Fields, folder: string, path: string): WriteStep {
  const step = readWrite(fields, folder, path);
  fields.finish();
  return step;
}

function readWrite(fields: Fields, folder: string, path: string): WriteStep {
  const action = readAction(fields, folder);
  const { user, namespace, dryRun } = readUserFields(fields);
  const text = fields.text("fieldValidation") ?? "Warn";
  const fieldValidation = FIELD_VALIDATIONS.find((each) => each === text);
  if (fieldValidation === undefined)
    throw new UsageError(messages.unknownExpectation(fields.place, text, FIELD_VALIDATIONS));
  // A change of the CRD, or an object that is there, is a preparation: it has to work unless the step says otherwise.
  const isPreparation = !fields.has("expect") && ["crd", "patchCrd", "live"].includes(action.type);
  const expect = isPreparation ? { outcome: "allow" as const } : readExpectation(fields, folder, "writes");
  return { path, action, request: { user, namespace, dryRun }, fieldValidation, expect };
}

function readUserFields(fields: Fields): WriteStep["request"] {
  const found = USER_FIELDS.some((name) => fields.has(name)) ? readRequestFields(fields) : {};
  fields.pass(...USER_FIELDS);
  return found;
}

function readAction(fields: Fields, folder: string): WriteAction {
  const load = (name: string): JsonObject | undefined => {
    const value = fields.any(name);
    return value === undefined ? undefined : loadObject(value, `${fields.place}: ${name}`, folder);
  };
  const found: WriteAction[] = [];
  for (const type of [...OBJECT_ACTIONS, "live"] as const) {
    const object = type === "live" && fields.has("update") ? undefined : load(type);
    if (object !== undefined) found.push({ type, object });
  }
  const crd = load("crd");
  if (crd !== undefined) found.push({ type: "crd", crd });
  const patch = fields.any("patchCrd");
  if (isObject(patch) || isArray(patch)) found.push({ type: "patchCrd", patch });
  const change = fields.object("change");
  if (change !== undefined) found.push({ type: "change", patch: change });
  if (fields.flag("delete") === true) found.push({ type: "delete" });
  const [action, second] = found;
  if (action === undefined || second !== undefined) throw new UsageError(messages.oneWrite(fields.place));
  return action;
}
