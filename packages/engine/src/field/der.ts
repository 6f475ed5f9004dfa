/** Reading DER: every value is its tag, its length and its content. Positions are those in the whole. */

export const BIT_STRING = 0x03;
export const OBJECT_ID = 0x06;
export const SEQUENCE = 0x30;

export interface DerElement {
  readonly tag: number;
  /** Where the element begins, and where its content does. */
  readonly at: number;
  readonly start: number;
  readonly end: number;
}

/** Undefined if the bytes end before the element does. */
export function readElement(bytes: Uint8Array, at: number): DerElement | undefined {
  const [tag, first] = [bytes[at], bytes[at + 1]];
  if (tag === undefined || first === undefined) return undefined;
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
  if (lengthBytes > 4) return undefined;
  let length = first < 0x80 ? first : 0;
  for (let i = 0; i < lengthBytes; i++) length = length * 256 + (bytes[at + 2 + i] ?? 0);
  const start = at + 2 + lengthBytes;
  const end = start + length;
  return end <= bytes.length ? { tag, at, start, end } : undefined;
}

/** What an element holds, as far as it can be read. */
export function childrenOf(bytes: Uint8Array, parent: DerElement): DerElement[] {
  const children: DerElement[] = [];
  for (let at = parent.start; at < parent.end; ) {
    const child = readElement(bytes, at);
    if (child === undefined || child.end > parent.end) break;
    children.push(child);
    at = child.end;
  }
  return children;
}

/** Whether it is an element with these tags inside and nothing behind it, as certificates and requests for them are. */
export function isSigned(bytes: Uint8Array): boolean {
  const outer = readElement(bytes, 0);
  if (outer?.tag !== SEQUENCE || outer.end !== bytes.length) return false;
  const parts = childrenOf(bytes, outer);
  return parts.map(({ tag }) => tag).join() === [SEQUENCE, SEQUENCE, BIT_STRING].join() && parts[2]?.end === outer.end;
}
