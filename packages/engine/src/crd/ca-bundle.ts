/**
 * Whether bytes can serve as root certificates: PEM with at least one certificate that can be read.
 *
 * Follows client-go transport.TLSConfigFor. Only the outer structure of a certificate is checked: a DER sequence of
 * three parts with correct lengths. Upstream also parses the contents.
 */
import { decodeBase64 } from "@portcullis/gostd/base64";
import { decodeUtf8 } from "@portcullis/gostd/utf8";
import { isSigned } from "../field/der.ts";
import { readPem } from "../field/pem.ts";
import * as messages from "./messages.ts";

/** What is wrong with the bundle, given in base64. */
export function caBundleProblem(bundle: string): string | undefined {
  const bytes = decodeBase64(bundle);
  if (bytes.error !== undefined) return messages.badRoots(bytes.error);
  const problem = pemProblem(decodeUtf8(bytes.value));
  return problem === undefined ? undefined : messages.badRoots(problem);
}

function pemProblem(text: string): string | undefined {
  const { blocks, rest } = readPem(text);
  const certificates = blocks.filter(({ type, hasHeaders }) => type === "CERTIFICATE" && !hasHeaders);
  if (certificates.some(({ bytes }) => isSigned(bytes))) return undefined;
  if (certificates.length > 0) return messages.badCertificate();
  return rest === "" ? messages.noCertificate() : messages.notPem();
}
