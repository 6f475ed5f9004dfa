/** ClusterTrustBundles. Follows pkg/apis/certificates/validation. */
import { byteLength } from "@portcullis/gostd/utf8";
import { type FieldError, invalid, tooLong } from "../../field/error.ts";
import { checkDnsSubdomain, maskTrailingDash } from "../../field/names.ts";
import { newPath } from "../../field/path.ts";
import { type PemBlock, readPem } from "../../field/pem.ts";
import type { NameCheck } from "../../schema/object-meta.ts";
import type { JsonObject } from "../../value/json.ts";
import { objectOf, textOf } from "../object.ts";
import { validateSignerName } from "./certificates.ts";
import * as messages from "./messages.ts";

const SPEC = newPath("spec");
const BUNDLE = SPEC.child("trustBundle");
const MAX_BYTES = 1024 * 1024;
/** Bundles are long, and are not repeated in messages. */
const OMITTED = "<value omitted>";

/** The name of a bundle with a signer begins with that of the signer: `example.com:foo:mybundle`. */
export function trustBundleName(signer: string): NameCheck {
  return (name, isPrefix) => {
    const checked = isPrefix ? maskTrailingDash(name) : name;
    if (signer === "") return name.includes(":") ? [messages.signerlessName()] : checkDnsSubdomain(checked);
    const prefix = `${signer.replaceAll("/", ":")}:`;
    if (!name.startsWith(prefix)) return [messages.signerName(prefix)];
    return checkDnsSubdomain(checked.slice(prefix.length));
  };
}

export function validateTrustBundle(bundle: JsonObject, old?: JsonObject): FieldError[] {
  const [signer, text] = [
    textOf(objectOf(bundle, "spec"), "signerName"),
    textOf(objectOf(bundle, "spec"), "trustBundle"),
  ];
  const isSame = old !== undefined && text === textOf(objectOf(old, "spec"), "trustBundle");
  return [
    ...(signer === "" ? [] : validateSignerName(signer, SPEC.child("signerName"))),
    ...(isSame ? [] : validateAnchors(text)),
  ];
}

export function validateTrustBundleUpdate(bundle: JsonObject, old: JsonObject): FieldError[] {
  const [signer, before] = [bundle, old].map((each) => textOf(objectOf(each, "spec"), "signerName"));
  const changed = signer === before ? [] : [invalid(SPEC.child("signerName"), signer ?? "", messages.immutable())];
  return [...validateTrustBundle(bundle, old), ...changed];
}

function validateAnchors(text: string): FieldError[] {
  if (byteLength(text) > MAX_BYTES) return [tooLong(BUNDLE, MAX_BYTES)];
  const { blocks } = readPem(text);
  const problems = blocks.flatMap(anchorProblem);
  if (problems.length > 0) return problems.map((problem) => invalid(BUNDLE, OMITTED, problem));
  if (blocks.length === 0) return [invalid(BUNDLE, OMITTED, messages.noAnchor())];
  return repeatedAnchors(blocks).map((places) => invalid(BUNDLE, OMITTED, messages.repeatedAnchor(places)));
}

function anchorProblem({ type, hasHeaders }: PemBlock, index: number): string[] {
  if (type !== "CERTIFICATE") return [messages.badBlock(index, type)];
  return hasHeaders ? [messages.blockHeaders(index)] : [];
}

function repeatedAnchors(blocks: readonly PemBlock[]): (readonly number[])[] {
  const places = new Map<string, number[]>();
  for (const [index, { bytes }] of blocks.entries()) {
    const key = bytes.join();
    places.set(key, [...(places.get(key) ?? []), index]);
  }
  return [...places.values()].filter(({ length }) => length > 1);
}
