import { expect, test } from "vitest";
import { type Base64Encoding, decodeBase64, encodeBase64 } from "./base64.ts";

// biome-ignore format: a table
test.each([
  { bytes: [],                 std: "",         rawUrl: "" },
  { bytes: [0x66],             std: "Zg==",     rawUrl: "Zg" },
  { bytes: [0x66, 0x6f],       std: "Zm8=",     rawUrl: "Zm8" },
  { bytes: [0x66, 0x6f, 0x6f], std: "Zm9v",     rawUrl: "Zm9v" },
  { bytes: [0xfb, 0xff, 0xfe, 0xff], std: "+//+/w==", rawUrl: "-__-_w" },
])("$std encodes and decodes", ({ bytes, std, rawUrl }) => {
  const data = Uint8Array.from(bytes);
  expect(encodeBase64(data)).toBe(std);
  expect(encodeBase64(data, "rawUrl")).toBe(rawUrl);
  expect(decodeBase64(std)).toEqual({ value: data });
  expect(decodeBase64(rawUrl, "rawUrl")).toEqual({ value: data });
});

test("line breaks are skipped and stray bits ignored", () => {
  expect(decodeBase64("Z\r\ng=\n=\n")).toEqual({ value: Uint8Array.of(0x66) });
  expect(decodeBase64("Zh==")).toEqual({ value: Uint8Array.of(0x66) });
});

// biome-ignore format: a table
test.each<[string, Base64Encoding, number]>([
  ["Zg", "std", 0], ["Zg=", "std", 3], ["Z", "rawStd", 0], ["Zg==", "rawStd", 2], ["=", "std", 0], ["Z===", "std", 1],
  ["Zg==Zg==", "std", 4], ["Zm9vZ", "std", 4], ["Zm-v", "std", 2], ["Zm+v", "url", 2], ["éZm9", "std", 0], ["Zm9é", "std", 3],
  ["Zg=x", "std", 2], ["Zm8=x", "std", 4], ["Zm9v Zm9v", "std", 4],
])("%s in %s is illegal at byte %d", (text, encoding, at) => {
  expect(decodeBase64(text, encoding)).toEqual({ error: `illegal base64 data at input byte ${at}` });
});

test("long texts are encoded and decoded as by others", () => {
  for (const length of [0, 1, 2, 3, 8191, 8192, 24_577]) {
    const bytes = Uint8Array.from({ length }, (_, at) => (at * 31) & 0xff);
    const text = Buffer.from(bytes).toString("base64");
    expect(encodeBase64(bytes)).toBe(text);
    expect(decodeBase64(text).value).toEqual(bytes);
    expect(decodeBase64(text.replace(/.{76}/g, "$&\r\n")).value).toEqual(bytes);
    expect(encodeBase64(bytes, "rawUrl")).toBe(Buffer.from(bytes).toString("base64url"));
  }
});
