/** Upstream's messages for invalid client configurations of webhooks. */

export const badRoots = (reason: string): string => `unable to load root certificates: ${reason}`;
export const badCertificate = (): string => "failed to parse certificate: x509: malformed certificate";
export const notPem = (): string => "unable to parse bytes as PEM block";
export const noCertificate = (): string => "no valid certificate authority data seen";
