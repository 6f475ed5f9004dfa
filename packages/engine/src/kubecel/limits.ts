/**
 * The numbers Kubernetes puts on CEL: what an expression may cost, and the sizes its estimates start from.
 *
 * Follows apiserver pkg/apis/cel/config.go, pkg/cel/limits.go and apiextensions' CRD validation.
 */

/** What one evaluation of one expression may cost. */
export const PER_CALL_LIMIT = 1_000_000;
/** What all rules of one custom resource, or all expressions of one policy binding, may cost in one request. */
export const RUNTIME_COST_BUDGET = 10_000_000;
/** What the match conditions of one webhook or policy may cost in one request. */
export const MATCH_CONDITIONS_COST_BUDGET = 2_500_000;
/** What a rule may be estimated to cost, counting how often it can run, when a CRD is written. */
export const STATIC_ESTIMATED_COST_LIMIT = 10_000_000n;
/** The same for all rules of one version of a CRD together. */
export const STATIC_ESTIMATED_CRD_COST_LIMIT = 100_000_000n;
export const MAX_REQUEST_SIZE_BYTES = 3 * 1024 * 1024;
/** In UTF-8 bytes, once surrounding space is gone. */
export const MAX_MESSAGE_EXPRESSION_SIZE_BYTES = 5 * 1024;

/** Sizes in JSON, quotation marks included. */
export const MIN_STRING_SIZE = 2;
export const MIN_BOOL_SIZE = 4;
export const MIN_NUMBER_SIZE = 1;
export const MIN_DURATION_SIZE = 3;
export const MAX_DURATION_SIZE = 32;
export const DATE_SIZE = 12;
export const MIN_DATE_TIME_SIZE = 21;
export const MAX_DATE_TIME_SIZE = 32;
/** `[]` and `{}`. */
export const MIN_CONTAINER_SIZE = 2;

/** The longest name of a format that its equality is priced for. */
export const MAX_FORMAT_SIZE = 64;
/** The pattern `validate` is estimated with, whatever the format. */
export const MAX_NAME_FORMAT_REGEX_SIZE = 128;

/** How many values of a type fit into one request at most, when each takes at least `minSize` bytes and a comma. */
export function maxCardinality(minSize: number): bigint {
  return BigInt(Math.trunc(MAX_REQUEST_SIZE_BYTES / (minSize + 1)));
}
