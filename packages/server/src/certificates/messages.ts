/** Upstream's messages about certificate signing requests. */
import { quote } from "@portcullis/gostd/quote";

export const mayNotApprove = (signer: string): string =>
  `user not permitted to approve requests with signerName ${quote(signer)}`;
export const mayNotSign = (signer: string): string =>
  `user not permitted to sign requests with signerName ${quote(signer)}`;
export const mayNotAttest = (signer: string): string => `user not permitted to attest for signerName ${quote(signer)}`;
export const mastersNotAllowed = (signer: string): string =>
  `use of ${signer} signer with system:masters group is not allowed`;
export const unknownAlgorithm = (): string => "x509: cannot verify signature: algorithm unimplemented";
export const badRsa = (): string => "crypto/rsa: verification error";
export const badEcdsa = (): string => "x509: ECDSA verification failure";
export const badEd25519 = (): string => "x509: Ed25519 verification failure";
