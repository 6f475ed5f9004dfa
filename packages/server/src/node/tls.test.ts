import { createPrivateKey, X509Certificate } from "node:crypto";
import { expect, test } from "vitest";
import { createAuthority } from "./tls.ts";

const NOW = Date.parse("2026-01-02T03:04:05Z");

test("a CA signs certificates that verify against it", async () => {
  const authority = await createAuthority(NOW);
  const ca = new X509Certificate(authority.cert);
  expect([ca.ca, ca.subject, ca.verify(ca.publicKey)]).toEqual([true, "CN=portcullis-ca", true]);
  const { cert, key } = await authority.issue({ commonName: "eve", organizations: ["system:masters", "a, b=ü"] });
  const client = new X509Certificate(cert);
  expect([client.ca, client.verify(ca.publicKey), client.checkIssued(ca)]).toEqual([false, true, true]);
  expect(client.checkPrivateKey(createPrivateKey(key))).toBe(true);
  expect(client.toLegacyObject().subject).toMatchObject({ CN: "eve", O: ["system:masters", "a, b=ü"] });
  expect(client.keyUsage).toEqual(["1.3.6.1.5.5.7.3.2"]);
  const other = await createAuthority(NOW);
  expect(client.verify(new X509Certificate(other.cert).publicKey)).toBe(false);
});

test("a server's certificate names its hosts and addresses", async () => {
  const authority = await createAuthority(NOW);
  const hosts = ["localhost", "127.0.0.1", "::1", "2001:db8::7:0:1", "::ffff:1.2.3.4", "kubernetes.default.svc"];
  const { cert } = await authority.issue({ commonName: "kube-apiserver", hosts });
  const server = new X509Certificate(cert);
  expect(server.checkHost("kubernetes.default.svc")).toBe("kubernetes.default.svc");
  for (const address of ["127.0.0.1", "::1", "2001:db8::7:0:1"]) expect(server.checkIP(address)).toBe(address);
  expect([server.checkIP("127.0.0.2"), server.checkHost("example.com")]).toEqual([undefined, undefined]);
  expect(server.keyUsage).toEqual(["1.3.6.1.5.5.7.3.1"]);
  expect(new Date(server.validTo).toISOString()).toBe("2035-12-31T03:04:05.000Z");
});

test("times from 2050 on are written in their longer form", async () => {
  const authority = await createAuthority(Date.parse("2045-06-07T08:09:10Z"));
  expect(new Date(new X509Certificate(authority.cert).validTo).getUTCFullYear()).toBe(2055);
});
