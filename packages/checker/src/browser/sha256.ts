/** SHA-256 for fingerprints, where there is no Node: `createHash("sha256").update(text).digest("hex")`. */
import { encodeUtf8 } from "@portcullis/gostd/utf8";

export interface Hash {
  update(text: string): Hash;
  digest(form: "hex"): string;
}

export function createHash(_name: "sha256"): Hash {
  let text = "";
  const hash: Hash = {
    update(more) {
      text += more;
      return hash;
    },
    digest: () => sha256(encodeUtf8(text)),
  };
  return hash;
}

/** FIPS 180-4. The constants are the fractions of square and cube roots of the first primes. */
function sha256(bytes: Uint8Array): string {
  const state = Uint32Array.from({ length: 8 }, (_, index) => fraction(primes[index] ?? 0, 1 / 2));
  const padded = new Uint8Array(((bytes.length + 72) >> 6) << 6);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  new DataView(padded.buffer).setUint32(padded.length - 4, bytes.length * 8);
  for (let at = 0; at < padded.length; at += 64) addBlock(state, new DataView(padded.buffer, at, 64));
  return [...state].map((word) => word.toString(16).padStart(8, "0")).join("");
}

const primes = firstPrimes(64);
const constants = Uint32Array.from(primes, (prime) => fraction(prime, 1 / 3));

function addBlock(state: Uint32Array, block: DataView): void {
  const words = new Uint32Array(64);
  for (let i = 0; i < 16; i++) words[i] = block.getUint32(i * 4);
  const word = (index: number): number => words[index] ?? 0;
  for (let i = 16; i < 64; i++) {
    const [far, near] = [word(i - 15), word(i - 2)];
    const low = turn(far, 7) ^ turn(far, 18) ^ (far >>> 3);
    const high = turn(near, 17) ^ turn(near, 19) ^ (near >>> 10);
    words[i] = word(i - 16) + low + word(i - 7) + high;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let i = 0; i < 64; i++) {
    const first = h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + (constants[i] ?? 0) + word(i);
    const second = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  for (const [index, value] of [a, b, c, d, e, f, g, h].entries()) state[index] = (state[index] ?? 0) + value;
}

function turn(word: number, by: number): number {
  return (word >>> by) | (word << (32 - by));
}

function fraction(prime: number, power: number): number {
  const root = prime ** power;
  return ((root - Math.floor(root)) * 2 ** 32) >>> 0;
}

function firstPrimes(count: number): number[] {
  const found: number[] = [];
  for (let each = 2; found.length < count; each++) if (found.every((prime) => each % prime !== 0)) found.push(each);
  return found;
}
