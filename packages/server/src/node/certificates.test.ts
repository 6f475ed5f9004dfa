import { expect, test } from "vitest";
import { openCertificates } from "./certificates.ts";
import { scratchFolder } from "./scratch.testing.ts";

test("certificates are kept across restarts and replaced for another host", async () => {
  const folder = scratchFolder();
  const first = await openCertificates("127.0.0.1", folder);
  expect(await openCertificates("127.0.0.1", folder)).toEqual(first);
  expect((await openCertificates("example.com", folder)).cert).not.toBe(first.cert);
});

test("without a folder nothing is kept", async () => {
  const [first, second] = [await openCertificates("a", undefined), await openCertificates("a", undefined)];
  expect(first.ca).not.toBe(second.ca);
});
