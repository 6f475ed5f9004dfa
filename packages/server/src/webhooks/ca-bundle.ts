/**
 * The trusted certificates of a webhook: those of its caBundle that can be parsed.
 *
 * A bundle is parsed when the webhook is called. Follows rootCertPool of client-go transport/transport.go; only the
 * outer structure of a certificate is checked.
 */
import { isSigned } from "@portcullis/engine/internal/field/der";
import { readPem } from "@portcullis/engine/internal/field/pem";
import { encodeBase64 } from "@portcullis/gostd/base64";
import * as messages from "./messages.ts";

export type Roots =
  | { readonly ca: string | undefined; readonly error?: undefined }
  /** Why the bundle cannot be used. */
  | { readonly error: string };

/** An empty bundle trusts the certificates of the system. */
export function readRoots(bundle: string): Roots {
  if (bundle === "") return { ca: undefined };
  const { blocks, rest } = readPem(bundle);
  const certificates = blocks.filter(({ type, hasHeaders }) => type === "CERTIFICATE" && !hasHeaders);
  const usable = certificates.filter(({ bytes }) => isSigned(bytes));
  if (usable.length > 0) return { ca: usable.map(({ bytes }) => pemText(bytes)).join("") };
  if (certificates.length > 0) return { error: messages.badRoots(messages.badCertificate()) };
  return { error: messages.badRoots(rest === "" ? messages.noCertificate() : messages.notPem()) };
}

const LINE = /.{1,64}/g;

function pemText(bytes: Uint8Array): string {
  const lines = encodeBase64(bytes).match(LINE) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
}
