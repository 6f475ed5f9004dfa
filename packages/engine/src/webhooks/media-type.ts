/** Why a Content-Type cannot be parsed. Follows Go's mime.ParseMediaType. */
import * as messages from "./messages.ts";

const TOKEN = "[!#$%&'*+\\-.^_`|~0-9A-Za-z]+";
const FIRST = new RegExp(`^${TOKEN}`);
const PARAMETER = new RegExp(`^\\s*;\\s*(${TOKEN})\\s*=\\s*(${TOKEN}|"(?:[^"\\\\]|\\\\.)*")`);

/** Undefined if it is valid. */
export function mediaTypeProblem(header: string): string | undefined {
  const semicolon = header.indexOf(";");
  const type = (semicolon < 0 ? header : header.slice(0, semicolon)).trim();
  return typeProblem(type) ?? parameterProblem(semicolon < 0 ? "" : header.slice(semicolon));
}

/** A type without a subtype is a disposition, which is valid. */
function typeProblem(type: string): string | undefined {
  const first = FIRST.exec(type)?.[0];
  if (first === undefined) return messages.missingMediaType();
  const rest = type.slice(first.length);
  if (rest === "") return undefined;
  if (!rest.startsWith("/")) return messages.missingSlash();
  const second = FIRST.exec(rest.slice(1))?.[0];
  if (second === undefined) return messages.missingSubtype();
  return rest.length > 1 + second.length ? messages.afterSubtype() : undefined;
}

function parameterProblem(text: string): string | undefined {
  const values = new Map<string, string>();
  let rest = text;
  for (let match = PARAMETER.exec(rest); match !== null; match = PARAMETER.exec(rest)) {
    const [whole, name = "", value = ""] = match;
    const known = values.get(name.toLowerCase());
    if (known !== undefined && known !== value) return messages.duplicateParameter();
    values.set(name.toLowerCase(), value);
    rest = rest.slice(whole.length);
  }
  return /^\s*(?:;\s*)?$/.test(rest) ? undefined : messages.invalidParameter();
}
