/** Projected volumes with trust anchors and with certificates of the pod. Follows validateProjectionSources. */
import { type FieldError, invalid, notSupported, required } from "../../../field/error.ts";
import type { FieldPath } from "../../../field/path.ts";
import type { JsonObject } from "../../../value/json.ts";
import { internalJson } from "../../internal/internal.ts";
import { has, numberOf, objectOf, textOf } from "../../object.ts";
import { validateSignerName } from "../certificates.ts";
import { filePath } from "../paths.ts";
import { selectorJson, validateSelector } from "../selector.ts";
import { trustBundleName } from "../trust-bundle.ts";
import * as messages from "./messages.ts";

export function trustBundleSource(source: JsonObject, path: FieldPath): FieldError[] {
  const target = textOf(source, "path");
  return [
    ...bundleReference(source, path),
    ...(target === "" ? [required(path.child("path"))] : []),
    ...filePath(target, path.child("path")),
  ];
}

function bundleReference(source: JsonObject, path: FieldPath): FieldError[] {
  if (has(source, "name")) {
    if (!has(source, "signerName")) return bundleByName(source, path);
    return [invalid(path, internalJson("core.ClusterTrustBundleProjection", source), messages.nameOrSigner())];
  }
  if (!has(source, "signerName")) return [required(path, messages.bundleNeeded())];
  const signer = textOf(source, "signerName");
  return [
    ...(signer === "" ? [required(path.child("signerName"), messages.signerNeeded())] : []),
    ...validateSignerName(signer, path.child("signerName")),
    ...validateSelector(objectOf(source, "labelSelector"), path.child("labelSelector")),
  ];
}

function bundleByName(source: JsonObject, path: FieldPath): FieldError[] {
  const [name, at] = [textOf(source, "name"), path.child("name")];
  const selector = objectOf(source, "labelSelector");
  return [
    ...(name === "" ? [required(at, messages.bundleNameNeeded())] : []),
    ...trustBundleName(signerIn(name))(name, false).map((problem) => invalid(at, name, messages.badBundle(problem))),
    ...(selector === undefined
      ? []
      : [invalid(path.child("labelSelector"), selectorJson(selector), messages.selectorWithName())]),
  ];
}

/** `example.com/foo` for the bundle `example.com:foo:bar`. */
function signerIn(name: string): string {
  const end = name.lastIndexOf(":");
  return end < 0 ? "" : name.slice(0, end).replaceAll(":", "/");
}

const KEY_TYPES = ["RSA3072", "RSA4096", "ECDSAP256", "ECDSAP384", "ECDSAP521", "ED25519"];
const PATHS = ["credentialBundlePath", "keyPath", "certificateChainPath"];
const HOUR = 3600;
const MAX_SECONDS = 91 * 86400;
/** Of certificates that Kubernetes itself signs. */
const MAX_KUBERNETES_SECONDS = 86400;

/** `take` reports paths that are taken already. */
export function certificateSource(
  source: JsonObject,
  path: FieldPath,
  take: (text: string) => FieldError[],
): FieldError[] {
  const keyType = textOf(source, "keyType");
  const paths = PATHS.filter((key) => textOf(source, key) !== "");
  return [
    ...validateSignerName(textOf(source, "signerName"), path.child("signerName")),
    ...(KEY_TYPES.includes(keyType) ? [] : [notSupported(path.child("keyType"), keyType, KEY_TYPES)]),
    ...(has(source, "maxExpirationSeconds") ? expiration(source, path.child("maxExpirationSeconds")) : []),
    ...paths.flatMap((key) => [...filePath(textOf(source, key), path.child(key)), ...take(textOf(source, key))]),
    ...(paths.length === 0 ? [required(path, messages.certificatePathNeeded())] : []),
  ];
}

function expiration(source: JsonObject, path: FieldPath): FieldError[] {
  const seconds = numberOf(source, "maxExpirationSeconds");
  const [domain = ""] = textOf(source, "signerName").split("/");
  const isKubernetes = domain === "kubernetes.io" || domain.endsWith(".kubernetes.io");
  const most = isKubernetes ? MAX_KUBERNETES_SECONDS : MAX_SECONDS;
  return [
    ...(seconds < HOUR ? [invalid(path, seconds, messages.leastExpiration(HOUR))] : []),
    ...(seconds > most ? [invalid(path, seconds, messages.mostExpiration(most))] : []),
  ];
}
