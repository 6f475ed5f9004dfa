/** ConfigMaps and secrets. Follows ValidateConfigMap and ValidateSecret of pkg/apis/core/validation. */
import { decodeBase64 } from "@portcullis/gostd/base64";
import { byteLength, decodeUtf8 } from "@portcullis/gostd/utf8";
import { decodeJson } from "../../codec/json.ts";
import { type FieldError, forbidden, invalid, required, tooLong } from "../../field/error.ts";
import { newPath } from "../../field/path.ts";
import { deepEqual } from "../../value/equal.ts";
import { hasKey, type JsonObject, sortedKeys } from "../../value/json.ts";
import { isSet, metaOf, objectOf, textOf } from "../object.ts";
import { immutable } from "./checks.ts";
import { configKey } from "./config-key.ts";
import * as messages from "./messages.ts";

const MAX_SIZE = 1024 * 1024;

export function validateConfigMap(map: JsonObject): FieldError[] {
  const [data, binary] = [objectOf(map, "data") ?? {}, objectOf(map, "binaryData") ?? {}];
  const errors: FieldError[] = [];
  let size = 0;
  for (const key of sortedKeys(data)) {
    const path = newPath("data").key(key);
    errors.push(...configKey(key, path));
    if (hasKey(binary, key)) errors.push(invalid(path, key, messages.keyInBinaryData()));
    size += byteLength(textOf(data, key));
  }
  for (const key of sortedKeys(binary)) {
    errors.push(...configKey(key, newPath("binaryData").key(key)));
    size += sizeOf(binary, key);
  }
  // Upstream gives the sum the empty path, which prints as nothing.
  if (size > MAX_SIZE) errors.push(tooLong(newPath(""), MAX_SIZE));
  return errors;
}

export function validateConfigMapUpdate(map: JsonObject, old: JsonObject): FieldError[] {
  return [...frozen(map, old, ["data", "binaryData"]), ...validateConfigMap(map)];
}

/** What may not change once `immutable` is set. */
function frozen(object: JsonObject, old: JsonObject, keys: readonly string[]): FieldError[] {
  if (!isSet(old, "immutable")) return [];
  const errors = isSet(object, "immutable") ? [] : [forbidden(newPath("immutable"), messages.immutableWhenSet())];
  const changed = keys.filter((key) => !deepEqual(object[key] ?? null, old[key] ?? null));
  return [...errors, ...changed.map((key) => forbidden(newPath(key), messages.immutableWhenSet()))];
}

const DATA = newPath("data");

/** Keys that a type of secret must have. */
const REQUIRED_KEYS: Readonly<Record<string, readonly string[]>> = {
  "kubernetes.io/dockercfg": [".dockercfg"],
  "kubernetes.io/dockerconfigjson": [".dockerconfigjson"],
  "kubernetes.io/ssh-auth": ["ssh-privatekey"],
  "kubernetes.io/tls": ["tls.crt", "tls.key"],
};

export function validateSecret(secret: JsonObject): FieldError[] {
  const data = objectOf(secret, "data") ?? {};
  const keys = sortedKeys(data);
  const errors = keys.flatMap((key) => configKey(key, DATA.key(key)));
  if (keys.reduce((size, key) => size + sizeOf(data, key), 0) > MAX_SIZE) errors.push(tooLong(DATA, MAX_SIZE));
  return [...errors, ...validateSecretType(secret, data)];
}

function validateSecretType(secret: JsonObject, data: JsonObject): FieldError[] {
  const type = textOf(secret, "type");
  if (type === "kubernetes.io/service-account-token") return accountAnnotation(secret);
  if (type === "kubernetes.io/basic-auth") return basicAuth(data);
  const missing = (REQUIRED_KEYS[type] ?? []).filter((key) => !hasKey(data, key));
  if (missing.length > 0) return missing.map((key) => required(DATA.key(key)));
  return type.startsWith("kubernetes.io/dockerc") ? dockerConfig(data, REQUIRED_KEYS[type]?.[0] ?? "") : [];
}

const ACCOUNT = "kubernetes.io/service-account.name";

function accountAnnotation(secret: JsonObject): FieldError[] {
  const annotations = objectOf(metaOf(secret), "annotations");
  return textOf(annotations, ACCOUNT) === "" ? [required(newPath("metadata", "annotations").key(ACCOUNT))] : [];
}

function basicAuth(data: JsonObject): FieldError[] {
  if (hasKey(data, "username") || hasKey(data, "password")) return [];
  return [required(DATA.key("username")), required(DATA.key("password"))];
}

function dockerConfig(data: JsonObject, key: string): FieldError[] {
  const bytes = decodeBase64(textOf(data, key));
  const error = bytes.error ?? decodeJson(decodeUtf8(bytes.value)).error;
  return error === undefined ? [] : [invalid(DATA.key(key), messages.redacted(), error)];
}

export function validateSecretUpdate(secret: JsonObject, old: JsonObject): FieldError[] {
  return [
    ...immutable(secret["type"], old["type"], newPath("type")),
    ...frozen(secret, old, ["data"]),
    ...validateSecret(secret),
  ];
}

function sizeOf(data: JsonObject, key: string): number {
  const bytes = decodeBase64(textOf(data, key));
  return bytes.error === undefined ? bytes.value.length : 0;
}
