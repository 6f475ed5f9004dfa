/** The name of a field manager that did not give one: the product of its user agent. */
import { isPrint } from "@portcullis/gostd/quote";
import { byteLength } from "@portcullis/gostd/utf8";

const MAX_BYTES = 128;

/** What comes before the first slash, printable characters only, cut at 128 bytes; "" becomes `unknown` later. */
export function managerName(fieldManager: string, userAgent: string): string {
  if (fieldManager !== "") return fieldManager;
  let name = "";
  let bytes = 0;
  for (const char of userAgent.split("/")[0] ?? "") {
    if (!isPrint(char.codePointAt(0) ?? 0)) continue;
    bytes += byteLength(char);
    if (bytes > MAX_BYTES) break;
    name += char;
  }
  return name;
}
