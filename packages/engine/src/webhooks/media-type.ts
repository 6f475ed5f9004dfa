/** Why a Content-Type cannot be parsed, as Go's mime.ParseMediaType reports it. */
import { parseMediaType } from "../codec/media-type.ts";
import * as messages from "./messages.ts";

const TOKEN = "[!#$%&'*+\\-.^_`|~0-9A-Za-z]+";
const FIRST = new RegExp(`^${TOKEN}`);

/** Undefined where it is fine. */
export function mediaTypeProblem(header: string): string | undefined {
  if (parseMediaType(header) !== undefined) return undefined;
  const type = (header.split(";", 1)[0] ?? "").trim();
  const first = FIRST.exec(type)?.[0];
  if (first === undefined) return messages.missingMediaType();
  const rest = type.slice(first.length);
  // A type without a subtype is a disposition, which is fine to Go.
  if (rest === "") return header.includes(";") ? messages.invalidParameter() : undefined;
  if (!rest.startsWith("/")) return messages.missingSlash();
  const second = FIRST.exec(rest.slice(1))?.[0];
  if (second === undefined) return messages.missingSubtype();
  return rest.length > 1 + second.length ? messages.afterSubtype() : messages.invalidParameter();
}
