/** Names in claims, slices and their statuses: pools, attributes, identifiers. */
import { quote } from "@portcullis/gostd/quote";
import { byteLength } from "@portcullis/gostd/utf8";
import { type FieldError, GoJson, invalid, required, tooLong } from "../../../field/error.ts";
import { checkDnsSubdomain, checkLabelValue } from "../../../field/names.ts";
import type { FieldPath } from "../../../field/path.ts";
import { since } from "../../../value/server-version.ts";
import { canonicalJson } from "../../../value/text.ts";
import { subdomain } from "../checks.ts";
import { csiDriverName } from "../storage/csi-name.ts";
import * as messages from "./messages.ts";

const MAX_POOL_NAME = 253;

/** Subdomains with slashes between them. */
export function poolName(name: string, path: FieldPath): FieldError[] {
  if (name === "") return [required(path)];
  return [
    ...(byteLength(name) > MAX_POOL_NAME ? [tooLong(path, MAX_POOL_NAME)] : []),
    ...name.split("/").flatMap((part) => subdomain(part, path)),
  ];
}

/** Where the name is validated declaratively, since 1.37. */
export function declaredPoolName(name: string, path: FieldPath): FieldError[] {
  if (!since("1.37") || name === "") return poolName(name, path);
  return [
    ...(byteLength(name) > MAX_POOL_NAME ? [tooLong(path, MAX_POOL_NAME)] : []),
    ...name.split("/").flatMap((part, index) => {
      if (part === "") return [invalid(path, name, messages.inSegment(index, messages.emptySegment()), "format")];
      return checkDnsSubdomain(part).map((problem) =>
        invalid(path, part, messages.inSegment(index, problem), "format"),
      );
    }),
  ];
}

/** The name of an attribute with a domain, where it is validated declaratively. */
export function declaredAttributeName(name: string, path: FieldPath): FieldError[] {
  const parts = name.split("/");
  if (!since("1.37") || parts.length !== 2) return fullAttributeName(name, path);
  const [domain = "", identifier = ""] = parts;
  return [
    ...(domain === ""
      ? [invalid(path, "", messages.emptyAttributePart("prefix"), "format")]
      : declaredDomain(domain, path)),
    ...(identifier === ""
      ? [invalid(path, "", messages.emptyAttributePart("name"), "format")]
      : cIdentifier(identifier, path)),
  ];
}

const MAX_DOMAIN = 63;

function declaredDomain(domain: string, path: FieldPath): FieldError[] {
  return [
    ...(byteLength(domain) > MAX_DOMAIN ? [tooLong(path, MAX_DOMAIN)] : []),
    ...checkDnsSubdomain(domain).map((problem) => invalid(path, domain, messages.inPrefix(problem), "format")),
  ];
}

/** An identifier, with a domain or without; names of more parts are not looked at, as upstream does not. */
export function attributeName(name: string, path: FieldPath): FieldError[] {
  if (name === "" && !since("1.35")) return [required(path, messages.nameRequired())];
  const parts = name.split("/");
  const [domain = "", identifier = ""] = parts;
  if (parts.length === 1) return cIdentifier(domain, path);
  if (parts.length > 2) return [];
  return [
    ...(domain === "" ? [emptyPart(path, messages.emptyDomain())] : csiDriverName(domain, path)),
    ...(identifier === "" ? [emptyPart(path, messages.emptyName())] : cIdentifier(identifier, path)),
  ];
}

function emptyPart(path: FieldPath, message: string): FieldError {
  return since("1.35") ? invalid(path, "", message) : required(path, message);
}

/** The same, with a domain. */
export function fullAttributeName(name: string, path: FieldPath): FieldError[] {
  const errors = attributeName(name, path);
  return name.includes("/") || (name === "" && !since("1.35"))
    ? errors
    : [...errors, invalid(path, named(name), messages.fullName())];
}

const MAX_IDENTIFIER = 32;

function cIdentifier(text: string, path: FieldPath): FieldError[] {
  return [
    ...(byteLength(text) > MAX_IDENTIFIER ? [tooLong(path, MAX_IDENTIFIER)] : []),
    ...(/^[A-Za-z_][A-Za-z0-9_]*$/.test(text) ? [] : [invalid(path, text, messages.badIdentifier())]),
  ];
}

export function labelValue(text: string, path: FieldPath): FieldError[] {
  return checkLabelValue(text).map((problem) => invalid(path, text, problem));
}

/** Named string types, which Go shows as JSON. */
export function named(text: string): GoJson {
  return new GoJson(canonicalJson(text));
}

export function uuid(text: string, path: FieldPath): FieldError[] {
  if (since("1.37")) {
    const isLower = text.length === 36 && text === text.toLowerCase() && UUID.test(text);
    return isLower ? [] : [invalid(path, text, messages.lowerUuid(), "format")];
  }
  const problem = uuidProblem(text);
  if (problem !== undefined) return [invalid(path, text, messages.badUid(problem))];
  return text.length === 36 && text === text.toLowerCase() ? [] : [invalid(path, text, messages.uidForm())];
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Follows github.com/google/uuid, which takes four forms. */
function uuidProblem(text: string): string | undefined {
  const length = byteLength(text);
  if (length === 32) return /^[0-9a-f]{32}$/i.test(text) ? undefined : messages.uuidFormat();
  if (length === 36) return UUID.test(text) ? undefined : messages.uuidFormat();
  if (length === 38) {
    if (!text.startsWith("{") || !text.endsWith("}")) return messages.uuidBrackets();
    return UUID.test(text.slice(1, -1)) ? undefined : messages.uuidFormat();
  }
  if (length !== 45) return messages.uuidLength(length);
  const prefix = text.slice(0, 9);
  if (prefix.toLowerCase() !== "urn:uuid:") return messages.uuidPrefix(quote(prefix));
  return UUID.test(text.slice(9)) ? undefined : messages.uuidFormat();
}
