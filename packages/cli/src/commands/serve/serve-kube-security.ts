/** kube-apiserver's flags about who may connect, and how. Errors have upstream's messages. */
import { readFileSync } from "node:fs";
import { quote } from "@portcullis/gostd/quote";
import type { RequestHeaders, ServerOptions, TlsLimits } from "@portcullis/server";
import type { KubeFlags } from "./serve-kube-flags.ts";

/** Follows RequestHeaderAuthenticationOptions of apiserver pkg/server/options. */
export function requestHeadersOf(flags: KubeFlags): Pick<ServerOptions, "requestHeaders"> {
  const file = flags.text("requestheader-client-ca-file");
  const lists = ["username-headers", "uid-headers", "group-headers", "extra-headers-prefix", "allowed-names"];
  const [usernames = [], uids = [], groups = [], extraPrefixes = [], allowedNames = []] = lists.map((name) =>
    readList(flags, `requestheader-${name}`),
  );
  if (uids.length > 0 && !uids.some((name) => name.toLowerCase() === "x-remote-uid")) throw new Error(NO_STANDARD_UID);
  if (file === undefined || file === "") return {};
  const requestHeaders: RequestHeaders = {
    ca: readFileSync(file, "utf8"),
    allowedNames,
    usernames,
    uids,
    groups,
    extraPrefixes,
  };
  return { requestHeaders };
}

const NO_STANDARD_UID =
  "--requestheader-uid-headers is set without specifying the standard X-Remote-Uid header - API aggregation will not work";

function readList(flags: KubeFlags, flag: string): string[] {
  const values = flags.all(flag).filter((value) => value !== "" || flags.all(flag).length > 1);
  if (values.some((value) => value.trim() === "")) throw new Error(`empty value in ${quote(flag)}`);
  return values.map((value) => value.trim());
}

const VERSIONS: Readonly<Record<string, TlsLimits["minVersion"]>> = {
  // Older versions than 1.2 are never offered.
  VersionTLS10: "TLSv1.2",
  VersionTLS11: "TLSv1.2",
  VersionTLS12: "TLSv1.2",
  VersionTLS13: "TLSv1.3",
};

export function tlsLimitsOf(flags: KubeFlags): Pick<ServerOptions, "tlsLimits"> {
  const version = flags.text("tls-min-version") ?? "";
  if (version !== "" && !(version in VERSIONS)) throw new Error(`unknown tls version ${quote(version)}`);
  const suites = flags.all("tls-cipher-suites").filter((name) => name !== "");
  const tlsLimits: TlsLimits = {
    minVersion: VERSIONS[version],
    ...(suites.length === 0 ? {} : { ciphers: [...suites.map(openSslName), ...TLS_13].join(":") }),
  };
  return { tlsLimits };
}

/** Go offers all suites of TLS 1.3, whatever the flag says. */
const TLS_13 = ["TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"];

/** Suites of TLS 1.2 that Go and OpenSSL both have, by Go's names. */
const TLS_12: Readonly<Record<string, string>> = {
  TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA: "ECDHE-ECDSA-AES128-SHA",
  TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256: "ECDHE-ECDSA-AES128-GCM-SHA256",
  TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA: "ECDHE-ECDSA-AES256-SHA",
  TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384: "ECDHE-ECDSA-AES256-GCM-SHA384",
  TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305: "ECDHE-ECDSA-CHACHA20-POLY1305",
  TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256: "ECDHE-ECDSA-CHACHA20-POLY1305",
  TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA: "ECDHE-RSA-AES128-SHA",
  TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256: "ECDHE-RSA-AES128-GCM-SHA256",
  TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA: "ECDHE-RSA-AES256-SHA",
  TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384: "ECDHE-RSA-AES256-GCM-SHA384",
  TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305: "ECDHE-RSA-CHACHA20-POLY1305",
  TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256: "ECDHE-RSA-CHACHA20-POLY1305",
  TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256: "ECDHE-ECDSA-AES128-SHA256",
  TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256: "ECDHE-RSA-AES128-SHA256",
  TLS_RSA_WITH_AES_128_CBC_SHA: "AES128-SHA",
  TLS_RSA_WITH_AES_128_CBC_SHA256: "AES128-SHA256",
  TLS_RSA_WITH_AES_128_GCM_SHA256: "AES128-GCM-SHA256",
  TLS_RSA_WITH_AES_256_CBC_SHA: "AES256-SHA",
  TLS_RSA_WITH_AES_256_GCM_SHA384: "AES256-GCM-SHA384",
};

function openSslName(suite: string): string {
  const name = TLS_13.includes(suite) ? suite : TLS_12[suite];
  if (name === undefined) throw new Error(`Cipher suite ${suite} not supported or doesn't exist`);
  return name;
}
