/** DER, as far as certificates need it: every value is its tag, its length and its content. */

function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag, ...lengthOf(content.length)]), content]);
}

function lengthOf(length: number): number[] {
  if (length < 0x80) return [length];
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return [0x80 | bytes.length, ...bytes];
}

export const sequence = (...parts: readonly Uint8Array[]): Buffer => der(0x30, ...parts);
export const set = (...parts: readonly Uint8Array[]): Buffer => der(0x31, ...parts);
export const octets = (content: Uint8Array): Buffer => der(0x04, content);
export const utf8 = (text: string): Buffer => der(0x0c, Buffer.from(text, "utf8"));
export const yes = (): Buffer => der(0x01, Buffer.from([0xff]));

/** `[tag]` around or in place of a value. */
export const tagged = (tag: number, content: Uint8Array, { isPlain = false } = {}): Buffer =>
  der((isPlain ? 0x80 : 0xa0) | tag, content);

/** Big-endian, and positive: a leading zero keeps the sign away. */
export function integer(bytes: Uint8Array): Buffer {
  let start = 0;
  while (start < bytes.length - 1 && bytes[start] === 0) start++;
  const rest = bytes.subarray(start);
  return der(0x02, (rest[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.from([0]), rest]) : rest);
}

/** Whole bytes, or flags of which the last `unused` bits do not count. */
export function bits(content: Uint8Array, unused = 0): Buffer {
  return der(0x03, Buffer.from([unused]), content);
}

/** Such as `2.5.4.3`. */
export function objectId(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split(".").map(Number);
  return der(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

function base128(value: number): number[] {
  const bytes = [value % 128];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) bytes.unshift(0x80 | (rest % 128));
  return bytes;
}

/** Years from 2050 on have a form of their own. */
export function time(millis: number): Buffer {
  const digits = new Date(millis)
    .toISOString()
    .replace(/\.\d+Z$/, "Z")
    .replace(/[-:T]/g, "");
  const needsGeneralizedTime = Number(digits.slice(0, 4)) >= 2050;
  return needsGeneralizedTime ? der(0x18, Buffer.from(digits)) : der(0x17, Buffer.from(digits.slice(2)));
}

export function pem(label: string, content: Uint8Array): string {
  const lines =
    Buffer.from(content)
      .toString("base64")
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join("\n")}\n-----END ${label}-----\n`;
}
