/**
 * PodCertificateRequests: their spec. Whether keys and certificates belong together is not checked. Follows
 * pkg/apis/certificates/validation.
 */
import { byteLength } from "@portcullis/gostd/utf8";
import { type FieldError, GoJson, invalid, required, tooLong } from "../../field/error.ts";
import { checkDnsSubdomain } from "../../field/names.ts";
import { newPath } from "../../field/path.ts";
import { semanticEqual } from "../../value/equal.ts";
import type { JsonObject } from "../../value/json.ts";
import { canonicalJson } from "../../value/text.ts";
import { has, numberOf, objectOf, textOf } from "../object.ts";
import { validateSignerName } from "./certificates.ts";
import * as messages from "./messages.ts";

const SPEC = newPath("spec");
const MAX_UID = 128;
const MIN_SECONDS = 3600;
const KUBERNETES_SECONDS = 86_400;
const MAX_SECONDS = 91 * 86_400;

export function validatePodCertificate(request: JsonObject): FieldError[] {
  const spec = objectOf(request, "spec") ?? {};
  return [
    ...validateSignerName(textOf(spec, "signerName"), SPEC.child("signerName")),
    ...["pod", "serviceAccount", "node"].flatMap((owner) => [
      ...validateName(spec, `${owner}Name`),
      ...validateUid(spec, `${owner}UID`),
    ]),
    ...validateLifetime(spec),
  ];
}

function validateName(spec: JsonObject, key: string): FieldError[] {
  const name = textOf(spec, key);
  return checkDnsSubdomain(name).map((problem) => invalid(SPEC.child(key), name, problem));
}

function validateUid(spec: JsonObject, key: string): FieldError[] {
  const uid = textOf(spec, key);
  if (uid === "") return [invalid(SPEC.child(key), uid, messages.mustNotBeEmpty())];
  return byteLength(uid) > MAX_UID ? [tooLong(SPEC.child(key), MAX_UID)] : [];
}

/** Nothing about the key is reported for a request that does not say how long it is for. */
function validateLifetime(spec: JsonObject): FieldError[] {
  const path = SPEC.child("maxExpirationSeconds");
  if (!has(spec, "maxExpirationSeconds")) return [required(path, messages.mustBeSet())];
  const seconds = numberOf(spec, "maxExpirationSeconds");
  const max = isOfKubernetes(textOf(spec, "signerName")) ? KUBERNETES_SECONDS : MAX_SECONDS;
  const isOutside = seconds < MIN_SECONDS || seconds > max;
  return [...(isOutside ? [invalid(path, seconds, messages.inRange(MIN_SECONDS, max))] : []), ...validateKeys(spec)];
}

function isOfKubernetes(signer: string): boolean {
  return /^([^/]+\.)?kubernetes\.io\//.test(signer);
}

function validateKeys(spec: JsonObject): FieldError[] {
  const [stub, key, proof] = ["stubPKCS10Request", "pkixPublicKey", "proofOfPossession"].map((name) =>
    textOf(spec, name),
  );
  const isStub = stub !== "" && key === "" && proof === "";
  const isPair = stub === "" && key !== "" && proof !== "";
  return isStub || isPair ? [] : [{ type: "FieldValueInvalid", path: SPEC, origin: "", detail: messages.oneKey() }];
}

export function validatePodCertificateUpdate(request: JsonObject, old: JsonObject): FieldError[] {
  const [spec, before] = [objectOf(request, "spec") ?? {}, objectOf(old, "spec") ?? {}];
  if (semanticEqual(spec, before)) return [];
  return [invalid(SPEC, new GoJson(canonicalJson(spec)), messages.immutable())];
}
