/** Twelve hexadecimal digits that stay the same wherever in a file, in which order and in which words a change is told. */

const PRIME = 0x100000001b3n;
const OFFSET = 0xcbf29ce484222325n;
const MASK = (1n << 64n) - 1n;

/** FNV-1a: the parts are names and texts of a schema, so a checksum is enough. */
export function fingerprintOf(parts: readonly string[]): string {
  let hash = OFFSET;
  for (const char of parts.join("\0")) {
    hash ^= BigInt(char.codePointAt(0) ?? 0);
    hash = (hash * PRIME) & MASK;
  }
  return (hash ^ (hash >> 32n)).toString(16).padStart(16, "0").slice(-12);
}
