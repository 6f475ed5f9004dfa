/**
 * Secrets for TLS whose certificate or key cannot be read. Follows tls.X509KeyPair of Go as far as the PEM goes: what is inside
 * a block is not looked at.
 */
import { decodeBase64 } from "@portcullis/gostd/base64";
import { decodeUtf8 } from "@portcullis/gostd/utf8";
import type { JsonObject } from "../../value/json.ts";
import { objectOf, textOf } from "../object.ts";
import * as messages from "./messages.ts";

export function secretWarnings(secret: JsonObject): string[] {
  if (textOf(secret, "type") !== "kubernetes.io/tls") return [];
  const data = objectOf(secret, "data");
  const [certificate, key] = [blocksIn(data, "tls.crt"), blocksIn(data, "tls.key")];
  if (!certificate.includes("CERTIFICATE")) return [certificateProblem(certificate)];
  const isKey = (type: string): boolean => type === "PRIVATE KEY" || type.endsWith(" PRIVATE KEY");
  return key.some(isKey) ? [] : [keyProblem(key)];
}

function blocksIn(data: JsonObject | undefined, key: string): string[] {
  const bytes = decodeBase64(textOf(data, key));
  const text = bytes.error === undefined ? decodeUtf8(bytes.value) : "";
  return [...text.matchAll(/-----BEGIN ([A-Z0-9 ]+)-----[\s\S]*?-----END \1-----/g)].map((match) => match[1] ?? "");
}

function certificateProblem(blocks: readonly string[]): string {
  const [first] = blocks;
  if (first === undefined) return messages.noPem("certificate");
  const isKey = blocks.length === 1 && (first === "PRIVATE KEY" || first.endsWith(" PRIVATE KEY"));
  return isKey ? messages.switchedPem() : messages.skippedPem('"CERTIFICATE"', "certificate", blocks);
}

function keyProblem(blocks: readonly string[]): string {
  const [first] = blocks;
  if (first === undefined) return messages.noPem("key");
  if (blocks.length === 1 && first === "CERTIFICATE") return messages.certificateForKey();
  return messages.skippedKey(blocks);
}
