import { expect, test } from "vitest";
import { encodeHeaders, HeaderDecoder } from "./hpack.ts";

const decode = (...bytes: readonly number[]): unknown => [...new HeaderDecoder().decode(Buffer.from(bytes))];

test("headers are read as they were written, long ones too", () => {
  const headers = { ":method": "POST", ":path": "/a", "x-long": "v".repeat(70_000), "x-empty": "" };
  expect([...new HeaderDecoder().decode(encodeHeaders(headers))]).toEqual(Object.entries(headers));
});

test.each([
  { name: "a field of the table", bytes: [0x88], fields: [[":status", "200"]] },
  {
    name: "a name of the table, with a number of two bytes",
    bytes: [0x0f, 0x10, 1, 0x61],
    fields: [["content-type", "a"]],
  },
  { name: "a field for a table that is not kept", bytes: [0x40, 1, 0x61, 1, 0x62], fields: [["a", "b"]] },
  { name: "a table that becomes empty", bytes: [0x20, 0x88], fields: [[":status", "200"]] },
  { name: "a text in Huffman's code", bytes: [0x00, 1, 0x61, 0x82, 0xb5, 0x1f], fields: [["a", "us"]] },
])("$name is read", ({ bytes, fields }) => {
  expect(decode(...bytes)).toEqual(fields);
});

test.each([
  { name: "a field beyond the table", bytes: [0xbe] },
  { name: "a table that was not allowed", bytes: [0x3f, 0xe1, 0x1f] },
  { name: "a text that ends too early", bytes: [0x00, 5, 0x61] },
  { name: "a number without an end", bytes: [0x0f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff] },
  { name: "a code with too many bits at its end", bytes: [0x00, 1, 0x61, 0x82, 0x1f, 0xff] },
  { name: "a code with wrong bits at its end", bytes: [0x00, 1, 0x61, 0x81, 0x18] },
])("$name is refused", ({ bytes }) => {
  expect(() => decode(...bytes)).toThrow();
});
