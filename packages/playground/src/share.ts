/**
 * A state in the fragment of an address, which browsers never send to anybody: compressed, in letters that links may
 * have. Reading is bounded, because anybody can write a link.
 */
import { readState, type State } from "./state.ts";

const PREFIX = "#v1=";
/** Of the fragment, in characters, and of the text behind it, in bytes. */
const MAX_FRAGMENT = 1_000_000;
const MAX_TEXT = 4_000_000;

export async function toFragment(state: State): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(state));
  return PREFIX + encode(await pump(bytes, new CompressionStream("deflate-raw"), Number.POSITIVE_INFINITY));
}

/** Undefined if the fragment is not one of ours. Rejects where it is damaged or too large. */
export async function fromFragment(fragment: string): Promise<State | undefined> {
  if (!fragment.startsWith(PREFIX)) return undefined;
  if (fragment.length > MAX_FRAGMENT) throw new Error("the link is too long");
  const bytes = await pump(decode(fragment.slice(PREFIX.length)), new DecompressionStream("deflate-raw"), MAX_TEXT);
  return readState(JSON.parse(new TextDecoder().decode(bytes)));
}

interface ByteTransform {
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<BufferSource>;
}

async function pump(bytes: Uint8Array<ArrayBuffer>, through: ByteTransform, limit: number): Promise<Uint8Array> {
  const writer = through.writable.getWriter();
  // Its failure shows on the reading side too, which is where it is waited for.
  writer
    .write(bytes)
    .then(() => writer.close())
    .catch(() => undefined);
  const reader = through.readable.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.length;
    if (size > limit) {
      await reader.cancel().catch(() => undefined);
      throw new Error("the link contains too much text");
    }
    chunks.push(part.value);
  }
  return join(chunks, size);
}

function join(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const all = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

function encode(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function decode(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (char) => char.charCodeAt(0));
}
