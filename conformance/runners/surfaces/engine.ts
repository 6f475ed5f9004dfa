/** The release that the corpora were recorded with. */
export const ENGINE = {
  version: "1.36",
  gates: { CRDValidationRatcheting: true, CRDPropertyNameSchemas: true },
} as const;
