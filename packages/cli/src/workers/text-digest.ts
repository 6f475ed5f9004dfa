/** Identifies the content of a file. */
import { createHash } from "node:crypto";

const LENGTH = 32;

export function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, LENGTH);
}
