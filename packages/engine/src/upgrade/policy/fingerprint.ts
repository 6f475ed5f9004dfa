/**
 * Twelve hexadecimal digits that identify a change. They do not depend on its position in a file, its order or its
 * message.
 */

const PRIME = 0x100000001b3n;
const OFFSET = 0xcbf29ce484222325n;
const MASK = (1n << 64n) - 1n;

/** FNV-1a. The parts are names and strings of a schema, so a checksum is enough. */
export function fingerprintOf(parts: readonly string[]): string {
  let hash = OFFSET;
  for (const char of parts.join("\0")) {
    hash ^= BigInt(char.codePointAt(0) ?? 0);
    hash = (hash * PRIME) & MASK;
  }
  return (hash ^ (hash >> 32n)).toString(16).padStart(16, "0").slice(-12);
}
