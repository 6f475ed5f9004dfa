/** Volumes whose files the node writes: of config maps, secrets, fields of the pod and tokens. */
import { type FieldError, forbidden, invalid, required } from "../../../field/error.ts";
import type { FieldPath } from "../../../field/path.ts";
import type { JsonObject } from "../../../value/json.ts";
import { has, numberOf, objectOf, objectsOf, textOf } from "../../object.ts";
import { requiredText } from "../checks.ts";
import { filePath } from "../paths.ts";
import { objectField, resourceField } from "../pod/fields.ts";
import { certificateSource, trustBundleSource } from "./certificate-files.ts";
import * as messages from "./messages.ts";
import type { SourceCheck } from "./sources.ts";

const MAX_MODE = 0o777;

function fileMode(source: JsonObject, key: string, path: FieldPath): FieldError[] {
  const mode = numberOf(source, key);
  return mode >= 0 && mode <= MAX_MODE ? [] : [invalid(path.child(key), mode, messages.badFileMode())];
}

export function keyedFiles(nameKey: string): SourceCheck {
  return (source, path) => [
    ...requiredText(source, nameKey, path),
    ...fileMode(source, "defaultMode", path),
    ...objectsOf(source, "items").flatMap((item, index) => keyToPath(item, path.child("items").index(index))),
  ];
}

function keyToPath(item: JsonObject, path: FieldPath): FieldError[] {
  return [
    ...requiredText(item, "key", path),
    ...requiredText(item, "path", path),
    ...filePath(textOf(item, "path"), path.child("path")),
    ...fileMode(item, "mode", path),
  ];
}

/** Upstream's paths leave out the place in the list. */
export const downwardFiles: SourceCheck = (source, path) => [
  ...fileMode(source, "defaultMode", path),
  ...objectsOf(source, "items").flatMap((file) => downwardFile(file, path)),
];

const FIELD_PATHS = [
  ...["metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid"],
];

function downwardFile(file: JsonObject, path: FieldPath): FieldError[] {
  const [field, resource] = [objectOf(file, "fieldRef"), objectOf(file, "resourceFieldRef")];
  return [
    ...requiredText(file, "path", path),
    ...filePath(textOf(file, "path"), path.child("path")),
    ...(field === undefined ? [] : objectField(field, FIELD_PATHS, path.child("fieldRef"))),
    ...(field !== undefined && resource !== undefined ? [invalid(path, "resource", messages.oneFileSource())] : []),
    ...(field === undefined && resource !== undefined
      ? resourceField(resource, path.child("resourceFieldRef"), { isVolume: true })
      : []),
    ...(field === undefined && resource === undefined ? [required(path, messages.fileSourceNeeded())] : []),
    ...fileMode(file, "mode", path),
  ];
}

export const projected: SourceCheck = (source, path) => {
  const taken = new Set<string>();
  return [
    ...fileMode(source, "defaultMode", path),
    ...objectsOf(source, "sources").flatMap((each, index) =>
      projection(each, { volume: path, source: path.child("sources").index(index), taken }),
    ),
  ];
};

interface Place {
  /** Some things are said about the volume as a whole. */
  readonly volume: FieldPath;
  readonly source: FieldPath;
  /** Paths of files that are written already. */
  readonly taken: Set<string>;
}

const PROJECTIONS: Readonly<Record<string, (source: JsonObject, path: FieldPath, place: Place) => FieldError[]>> = {
  secret: keyedProjection,
  configMap: keyedProjection,
  downwardAPI: (source, path, place) =>
    objectsOf(source, "items").flatMap((file) => [
      ...downwardFile(file, path),
      ...takePath(textOf(file, "path"), textOf(file, "path"), place),
    ]),
  serviceAccountToken: tokenProjection,
  clusterTrustBundle: (source, path, place) => {
    const target = textOf(source, "path");
    return [...trustBundleSource(source, path), ...takePath(target, target, place)];
  },
  podCertificate: (source, path, place) => certificateSource(source, path, (text) => takePath(text, text, place)),
};

function projection(source: JsonObject, place: Place): FieldError[] {
  const kinds = Object.keys(PROJECTIONS).filter((kind) => has(source, kind));
  return [
    ...kinds.flatMap(
      (kind) => PROJECTIONS[kind]?.(objectOf(source, kind) ?? {}, place.source.child(kind), place) ?? [],
    ),
    ...(kinds.length > 1 ? [forbidden(place.source, messages.oneTypePerSource())] : []),
  ];
}

function takePath(text: string, shown: string, { volume, taken }: Place): FieldError[] {
  if (text === "") return [];
  if (taken.has(text)) return [invalid(volume, shown, messages.conflictingPaths())];
  taken.add(text);
  return [];
}

function keyedProjection(source: JsonObject, path: FieldPath, place: Place): FieldError[] {
  return [
    ...requiredText(source, "name", path),
    ...objectsOf(source, "items").flatMap((item, index) => [
      ...keyToPath(item, path.child("items").index(index)),
      ...takePath(textOf(item, "path"), textOf(source, "name"), place),
    ]),
  ];
}

const MIN_TOKEN_SECONDS = 600;
const MAX_TOKEN_SECONDS = 2 ** 32;

function tokenProjection(token: JsonObject, path: FieldPath, { volume }: Place): FieldError[] {
  const seconds = numberOf(token, "expirationSeconds");
  const at = path.child("expirationSeconds");
  const target = textOf(token, "path");
  return [
    ...(seconds < MIN_TOKEN_SECONDS ? [invalid(at, seconds, messages.tokenTooShort())] : []),
    ...(seconds > MAX_TOKEN_SECONDS ? [invalid(at, seconds, messages.tokenTooLong())] : []),
    ...(target === "" ? [required(volume.child("path"))] : filePath(target, volume.child("path"))),
  ];
}
