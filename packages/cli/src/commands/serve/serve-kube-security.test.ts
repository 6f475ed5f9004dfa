import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { parseKubeFlags } from "./serve-kube-flags.ts";
import { requestHeadersOf, tlsLimitsOf } from "./serve-kube-security.ts";

const folder = mkdtempSync(path.join(tmpdir(), "security-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("request headers are read with the CA of the proxies", () => {
  const file = path.join(folder, "ca.pem");
  writeFileSync(file, "PEM");
  const flags = parseKubeFlags([
    `--requestheader-client-ca-file=${file}`,
    "--requestheader-username-headers=X-Remote-User,X-User",
    "--requestheader-group-headers=X-Remote-Group",
  ]);
  expect(requestHeadersOf(flags).requestHeaders).toEqual({
    ca: "PEM",
    allowedNames: [],
    usernames: ["X-Remote-User", "X-User"],
    uids: [],
    groups: ["X-Remote-Group"],
    extraPrefixes: [],
  });
  expect(requestHeadersOf(parseKubeFlags([]))).toEqual({});
});

test("TLS versions and cipher suites are limited", () => {
  const suites = "--tls-cipher-suites=TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256";
  const { tlsLimits } = tlsLimitsOf(parseKubeFlags(["--tls-min-version=VersionTLS13", suites]));
  expect(tlsLimits?.minVersion).toBe("TLSv1.3");
  expect(tlsLimits?.ciphers?.split(":")).toContain("ECDHE-RSA-AES128-GCM-SHA256");
  expect(() => tlsLimitsOf(parseKubeFlags(["--tls-min-version=TLS9"]))).toThrow('unknown tls version "TLS9"');
  expect(() => tlsLimitsOf(parseKubeFlags(["--tls-cipher-suites=X"]))).toThrow(
    "Cipher suite X not supported or doesn't exist",
  );
});

test.each(["--oidc-issuer-url=https://x", "--enable-bootstrap-token-auth", "--disable-http2-serving=true"])(
  "%s is refused: users would not notice that it is ignored",
  (flag) => {
    expect(() => parseKubeFlags([flag])).toThrow("is not supported and cannot be ignored");
  },
);
