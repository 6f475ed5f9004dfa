/** Variables of containers. Follows ValidateEnv and ValidateEnvFrom of core/validation. */

import { type FieldError, invalid, notFound, required } from "../../../field/error.ts";
import type { FieldPath } from "../../../field/path.ts";
import { isEnabled } from "../../../value/gates.ts";
import type { JsonObject } from "../../../value/json.ts";
import { has, objectOf, objectsOf, textOf } from "../../object.ts";
import { eachOf, labelName, subdomain } from "../checks.ts";
import { configKey } from "../config-key.ts";
import { noBacksteps } from "../paths.ts";
import { objectField, resourceField } from "./fields.ts";
import * as messages from "./messages.ts";

export function validateEnv(container: JsonObject, path: FieldPath): FieldError[] {
  return eachOf(container, "env", path, (env, at) => {
    const name = textOf(env, "name");
    const errors = name === "" ? [required(at.child("name"))] : variableName(name, at.child("name"));
    const source = objectOf(env, "valueFrom");
    return source === undefined ? errors : [...errors, ...valueSource(env, source, at.child("valueFrom"))];
  });
}

const VARIABLE = /^[ -<>-~]+$/;

const STRICT_VARIABLE = /^[-._a-zA-Z][-._a-zA-Z0-9]*$/;

function variableName(name: string, path: FieldPath): FieldError[] {
  const isRelaxed = isEnabled("RelaxedEnvironmentVariableValidation");
  const isName = (isRelaxed ? VARIABLE : STRICT_VARIABLE).test(name);
  return [
    ...(isName ? [] : [invalid(path, name, messages.badEnvName())]),
    ...(isRelaxed ? [] : messages.upwardsName(name).map((problem) => invalid(path, name, problem))),
  ];
}

function valueSource(env: JsonObject, source: JsonObject, path: FieldPath): FieldError[] {
  const kinds = SOURCE_NAMES.filter((key) => has(source, key));
  const errors = kinds.flatMap((key) => SOURCES[key]?.(objectOf(source, key) ?? {}, path.child(key)) ?? []);
  if (kinds.length === 0) return [invalid(path, "", messages.noEnvSource())];
  if (textOf(env, "value") !== "") return [...errors, invalid(path, "", messages.valueAndSource())];
  return kinds.length > 1 ? [...errors, invalid(path, "", messages.manyEnvSources())] : errors;
}

const FIELD_PATHS = [
  ...["metadata.name", "metadata.namespace", "metadata.uid", "spec.nodeName", "spec.serviceAccountName"],
  ...["status.hostIP", "status.hostIPs", "status.podIP", "status.podIPs"],
];

const SOURCES: Readonly<Record<string, (source: JsonObject, path: FieldPath) => FieldError[]>> = {
  fieldRef: (source, path) => objectField(source, FIELD_PATHS, path),
  resourceFieldRef: (source, path) => resourceField(source, path, { isVolume: false }),
  configMapKeyRef: keySelector,
  secretKeyRef: keySelector,
  fileKeyRef: fileSelector,
};

const SOURCE_NAMES = Object.keys(SOURCES);

function keySelector(source: JsonObject, path: FieldPath): FieldError[] {
  const key = textOf(source, "key");
  return [
    ...subdomain(textOf(source, "name"), path.child("name")),
    ...(key === "" ? [required(path.child("key"))] : configKey(key, path.child("key"))),
  ];
}

function fileSelector(source: JsonObject, path: FieldPath): FieldError[] {
  const [key, volume, file] = [textOf(source, "key"), textOf(source, "volumeName"), textOf(source, "path")];
  return [
    ...(key === "" ? [required(path.child("key"))] : variableName(key, path.child("key"))),
    ...(volume === "" ? [required(path.child("volumeName"))] : labelName(volume, path.child("volumeName"))),
    ...(file === "" ? [required(path.child("path"))] : noBacksteps(file, path.child("path"))),
  ];
}

/** What is wrong with the choice of a source is said about the list. */
export function validateEnvFrom(container: JsonObject, path: FieldPath): FieldError[] {
  const list = path.child("envFrom");
  return eachOf(container, "envFrom", path, (source, at) => {
    const kinds = ["configMapRef", "secretRef"].filter((key) => has(source, key));
    const prefix = textOf(source, "prefix");
    const errors = prefix === "" ? [] : variableName(prefix, at.child("prefix"));
    errors.push(...kinds.flatMap((key) => reference(objectOf(source, key) ?? {}, at.child(key, "name"))));
    if (kinds.length === 0) return [...errors, invalid(list, "", messages.noEnvFrom())];
    return kinds.length > 1 ? [...errors, invalid(list, "", messages.manyEnvSources())] : errors;
  });
}

/** A name that ends in a dash is taken for the start of one. */
function reference(source: JsonObject, path: FieldPath): FieldError[] {
  const name = textOf(source, "name");
  return name === "" ? [required(path)] : subdomain(name.replace(/(?<=[\0-\x7f])-$/, "a"), path);
}

/** Volumes whose files variables are read from. */
export function validateFileVolumes(
  containers: readonly (readonly [container: JsonObject, path: FieldPath])[],
  volumes: readonly JsonObject[],
): FieldError[] {
  const byName = new Map(volumes.toReversed().map((each) => [textOf(each, "name"), each]));
  return containers.flatMap(([container, path]) =>
    objectsOf(container, "env").flatMap((env, index) => {
      const file = objectOf(objectOf(env, "valueFrom"), "fileKeyRef");
      if (file === undefined) return [];
      const name = textOf(file, "volumeName");
      const at = path.child("env").index(index).child("valueFrom", "fileKeyRef", "volumeName");
      const volume = byName.get(name);
      if (volume === undefined) return [notFound(at, name)];
      return has(volume, "emptyDir") ? [] : [invalid(at, name, messages.emptyDirOnly())];
    }),
  );
}
