/** Reads text files as kubectl does: as UTF-8, or as UTF-16 if there is a byte order mark. PowerShell's `>` writes UTF-16. */
import { readFileSync } from "node:fs";

/** Neither mark of UTF-16 is UTF-8. */
const NO_UTF8 = "\ufffd\ufffd";

export function readTextFile(file: string): string {
  try {
    const text = readFileSync(file, "utf8");
    return text.startsWith(NO_UTF8) ? decodeText(readFileSync(file)) : text;
  } catch (problem) {
    // Reading a folder fails with an error that does not name it.
    throw problem instanceof Error && "syscall" in problem ? Object.assign(problem, { path: file }) : problem;
  }
}

/** Bytes that are not text become replacement characters, as in Go. */
export function decodeText(bytes: Uint8Array): string {
  return new TextDecoder(encodingOf(bytes)).decode(bytes);
}

function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
}
