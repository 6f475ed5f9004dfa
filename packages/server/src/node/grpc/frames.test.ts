import { expect, test } from "vitest";
import { Frames } from "./frames.ts";

const HEADER = { bytes: 2, lengthOf: (header: Buffer) => header.readUInt16LE(0) };
const MESSAGES = ["", "a", "longer than a chunk", "z"];

function framed(text: string): Buffer {
  const header = Buffer.alloc(2);
  header.writeUInt16LE(text.length);
  return Buffer.concat([header, Buffer.from(text)]);
}

test.each([1, 2, 3, 7, 1_000])("messages are complete whatever the chunks: %i bytes each", (size) => {
  const seen: string[] = [];
  const frames = new Frames(HEADER, (message) => void seen.push(message.toString()));
  const bytes = Buffer.concat(MESSAGES.map(framed));
  for (let at = 0; at < bytes.length; at += size) frames.add(bytes.subarray(at, at + size));
  expect(seen).toEqual(MESSAGES);
});
