import { expect, test } from "vitest";
import { create } from "../kind.testing.ts";

test("a request needs a certificate request, usages and a signer", () => {
  const { errors } = create("certificates.k8s.io/v1/CertificateSigningRequest", { spec: {} });
  expect(errors.map((error) => error.split(":")[0])).toEqual(["spec.request", "spec.usages", "spec.signerName"]);
});

test("a request may have any name", () => {
  const { errors } = create("certificates.k8s.io/v1/CertificateSigningRequest", {
    metadata: { name: "A b" },
    spec: {},
  });
  expect(errors.some((error) => error.startsWith("metadata.name"))).toBe(false);
});
