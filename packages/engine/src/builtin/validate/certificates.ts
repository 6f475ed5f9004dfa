/**
 * Requests for certificates. Follows pkg/apis/certificates/validation; whether a request's signature is its key's is not
 * asked here, where nothing can be waited for.
 */
import { decodeBase64 } from "@portcullis/gostd/base64";
import { byteLength, decodeUtf8 } from "@portcullis/gostd/utf8";
import { parseCertificateRequest } from "../../field/certificate-request.ts";
import { isSigned } from "../../field/der.ts";
import {
  duplicate,
  type FieldError,
  forbidden,
  GoJson,
  invalid,
  notSupported,
  required,
  tooLong,
} from "../../field/error.ts";
import { checkDnsLabel, checkDnsSubdomain } from "../../field/names.ts";
import { type FieldPath, newPath } from "../../field/path.ts";
import { readPem } from "../../field/pem.ts";
import type { JsonObject } from "../../value/json.ts";
import { since } from "../../value/server-version.ts";
import { canonicalJson } from "../../value/text.ts";
import { has, numberOf, objectOf, objectsOf, textOf, textsOf } from "../object.ts";
import { repeatedPlaces } from "../repeats.ts";
import { bytesValue } from "./go-values.ts";
import * as messages from "./messages.ts";

/** The endpoint of an update: each may change something else. */
export type CsrEndpoint = "object" | "status" | "approval";

const SPEC = newPath("spec");
const CONDITIONS = newPath("status", "conditions");
const CERTIFICATE = newPath("status", "certificate");

const USAGES = [
  ...["any", "cert sign", "client auth", "code signing", "content commitment", "crl sign", "data encipherment"],
  ...["decipher only", "digital signature", "email protection", "encipher only", "ipsec end system", "ipsec tunnel"],
  ...["ipsec user", "key agreement", "key encipherment", "microsoft sgc", "netscape sgc", "ocsp signing", "s/mime"],
  ...["server auth", "signing", "timestamping"],
];

export function validateCsr(csr: JsonObject): FieldError[] {
  return validate(csr, undefined);
}

export function validateCsrUpdate(csr: JsonObject, old: JsonObject, endpoint: CsrEndpoint = "object"): FieldError[] {
  return [
    ...validate(csr, old),
    ...["Approved", "Denied", "Failed"].flatMap((type) => keptCondition(csr, old, type)),
    ...(endpoint === "approval" ? [] : ["Approved", "Denied"].flatMap((type) => sameCondition(csr, old, type))),
    ...changedCertificate(csr, old, endpoint),
  ];
}

/** What is wrong with the old object as well is tolerated. */
function validate(csr: JsonObject, old: JsonObject | undefined): FieldError[] {
  const spec = objectOf(csr, "spec") ?? {};
  return [
    ...validateRequest(spec),
    ...validateUsages(textsOf(spec, "usages"), textsOf(objectOf(old, "spec"), "usages")),
    ...validateSigner(textOf(spec, "signerName"), textOf(objectOf(old, "spec"), "signerName")),
    ...validateExpiration(spec),
    ...validateConditions(conditionsOf(csr), conditionsOf(old)),
    ...validateCertificate(csr, old),
  ];
}

function validateRequest(spec: JsonObject): FieldError[] {
  const bytes = decodeBase64(textOf(spec, "request"));
  const parsed = parseCertificateRequest(bytes.value ?? new Uint8Array());
  return "error" in parsed
    ? [invalid(SPEC.child("request"), bytesValue(spec["request"], bytes.value), parsed.error)]
    : [];
}

function validateUsages(usages: readonly string[], old: readonly string[]): FieldError[] {
  const path = SPEC.child("usages");
  const toleratesUnknown = old.some((usage) => !USAGES.includes(usage));
  const toleratesTwice = new Set(old).size < old.length;
  const unknown = usages.flatMap((usage, index) =>
    USAGES.includes(usage) || toleratesUnknown ? [] : [notSupported(path.index(index), named(usage), USAGES)],
  );
  const repeated = repeatedPlaces(usages);
  const twice = usages.flatMap((usage, index) =>
    !repeated.has(index) || toleratesTwice ? [] : [duplicate(path.index(index), named(usage))],
  );
  return [...(usages.length === 0 ? [required(path)] : []), ...unknown, ...twice];
}

/** A named string type, which Go shows as JSON. */
function named(text: string): GoJson {
  return new GoJson(canonicalJson(text));
}

const LEGACY_SIGNER = "kubernetes.io/legacy-unknown";

function validateSigner(name: string, old: string): FieldError[] {
  const path = SPEC.child("signerName");
  if (name === LEGACY_SIGNER && old !== LEGACY_SIGNER) return [invalid(path, name, messages.legacySigner())];
  return validateSignerName(name, path);
}

const MAX_DOMAIN = 253;
const MAX_SIGNER = 571;

/** `example.com/something`. */
export function validateSignerName(name: string, path: FieldPath): FieldError[] {
  if (name === "") return [required(path)];
  const [domain = "", rest = "", ...more] = name.split("/");
  if (!name.includes("/") || more.length > 0) return [invalid(path, name, messages.signerForm())];
  const labels = domain.split(".");
  return [
    ...(byteLength(domain) > MAX_DOMAIN ? [tooLong(path, MAX_DOMAIN)] : []),
    ...firstBadLabel(labels, domain, path, checkDnsLabel),
    ...(labels.length < 2 ? [invalid(path, domain, messages.twoSegments())] : []),
    ...firstBadLabel(rest.split("."), rest, path, checkDnsSubdomain),
    ...(byteLength(name) > MAX_SIGNER ? [tooLong(path, MAX_SIGNER)] : []),
  ];
}

function firstBadLabel(
  labels: readonly string[],
  whole: string,
  path: FieldPath,
  check: (label: string) => string[],
): FieldError[] {
  const bad = labels.find((label) => check(label).length > 0);
  if (bad === undefined) return [];
  return check(bad).map((problem) => invalid(path, whole, messages.badLabel(bad, problem)));
}

const LEAST_SECONDS = 600;

function validateExpiration(spec: JsonObject): FieldError[] {
  const seconds = numberOf(spec, "expirationSeconds");
  if (!has(spec, "expirationSeconds") || seconds >= LEAST_SECONDS) return [];
  return [invalid(SPEC.child("expirationSeconds"), seconds, messages.tooShortALife())];
}

function conditionsOf(csr: JsonObject | undefined): JsonObject[] {
  return objectsOf(objectOf(csr, "status"), "conditions");
}

const TRUE_ONLY = ["Approved", "Denied", "Failed"];
const EXCLUSIVE = ["Approved", "Denied"];

function validateConditions(conditions: readonly JsonObject[], old: readonly JsonObject[]): FieldError[] {
  const [types, oldTypes] = [conditions, old].map((list) => list.map((each) => textOf(each, "type")));
  if (types === undefined || oldTypes === undefined) return [];
  const toleratesBoth = EXCLUSIVE.every((type) => oldTypes.includes(type));
  const toleratesTwice = new Set(oldTypes).size < oldTypes.length;
  const toleratesEmpty = oldTypes.includes("");
  const before = new Set<string>();
  return types.flatMap((type, index) => {
    const path = CONDITIONS.index(index);
    const isContradicted =
      !toleratesBoth && EXCLUSIVE.includes(type) && EXCLUSIVE.some((each) => each !== type && before.has(each));
    const isRepeated = before.has(type);
    before.add(type);
    return [
      ...(type === "" && !toleratesEmpty ? [required(path.child("type"))] : []),
      ...validateConditionStatus(textOf(conditions[index], "status"), type, path.child("status")),
      ...(isContradicted
        ? [
            invalid(
              since("1.34") ? CONDITIONS : path.child("type"),
              named(type),
              messages.approvedAndDenied(),
              "zeroOrOneOf",
            ),
          ]
        : []),
      ...(isRepeated && !toleratesTwice ? [duplicate(path.child("type"), named(type))] : []),
    ];
  });
}

function validateConditionStatus(status: string, type: string, path: FieldPath): FieldError[] {
  const supported = TRUE_ONLY.includes(type) ? ["True"] : ["False", "True", "Unknown"];
  if (status === "") return [required(path)];
  return supported.includes(status) ? [] : [notSupported(path, named(status), supported)];
}

function validateCertificate(csr: JsonObject, old: JsonObject | undefined): FieldError[] {
  const [certificate, before] = [certificateOf(csr), certificateOf(old)];
  const isTolerated = old !== undefined && (certificate === before || certificateProblem(before) !== undefined);
  const problem = isTolerated ? undefined : certificateProblem(certificate);
  return problem === undefined ? [] : [invalid(CERTIFICATE, "<certificate data>", problem)];
}

function certificateOf(csr: JsonObject | undefined): string {
  return textOf(objectOf(csr, "status"), "certificate");
}

function certificateProblem(certificate: string): string | undefined {
  if (certificate === "") return undefined;
  const { blocks } = readPem(decodeUtf8(decodeBase64(certificate).value ?? new Uint8Array()));
  for (const { type, hasHeaders, bytes } of blocks) {
    if (type !== "CERTIFICATE") return messages.otherPem(type);
    if (hasHeaders) return messages.pemHeaders();
    if (!isSigned(bytes)) return messages.malformedCertificate();
  }
  return blocks.length === 0 ? messages.noPem() : undefined;
}

function ofType(csr: JsonObject, type: string): JsonObject[] {
  return conditionsOf(csr).filter((each) => textOf(each, "type") === type);
}

function keptCondition(csr: JsonObject, old: JsonObject, type: string): FieldError[] {
  const isRemoved = ofType(csr, type).length < ofType(old, type).length;
  return isRemoved ? [forbidden(CONDITIONS, messages.conditionRemoved(type))] : [];
}

/** Preparing an update has put the old ones in place of changed ones already. */
function sameCondition(csr: JsonObject, old: JsonObject, type: string): FieldError[] {
  const isAdded = ofType(csr, type).length > ofType(old, type).length;
  return isAdded ? [forbidden(CONDITIONS, messages.conditionAdded(type))] : [];
}

function changedCertificate(csr: JsonObject, old: JsonObject, endpoint: CsrEndpoint): FieldError[] {
  const before = certificateOf(old);
  if (certificateOf(csr) === before) return [];
  if (endpoint !== "status") return [forbidden(CERTIFICATE, messages.certificateSet())];
  return before === "" ? [] : [forbidden(CERTIFICATE, messages.certificateChanged())];
}
