import { RECORDED_VERSION } from "../recorded-version.ts";

/** The release that the corpora were recorded with. */
export const ENGINE = {
  version: RECORDED_VERSION,
  gates: { CRDValidationRatcheting: true, CRDPropertyNameSchemas: true },
} as const;
