/**
 * The limits of CEL in Kubernetes: the cost of expressions, and the sizes that estimates start from.
 *
 * Follows apiserver pkg/apis/cel/config.go, pkg/cel/limits.go and apiextensions' CRD validation.
 */

/**
 * The cost limit of one evaluation of one expression.
 * @example environment.program(ast, { costLimit: PER_CALL_LIMIT })
 */
export const PER_CALL_LIMIT = 1_000_000;
/**
 * The cost limit of all rules of one custom resource, or all expressions of one policy binding, in one request.
 * @example RUNTIME_COST_BUDGET // 10000000
 */
export const RUNTIME_COST_BUDGET = 10_000_000;
/**
 * The cost limit of the match conditions of one webhook or policy in one request.
 * @example MATCH_CONDITIONS_COST_BUDGET // 2500000
 */
export const MATCH_CONDITIONS_COST_BUDGET = 2_500_000;
/**
 * The limit of the estimated cost of a rule, times how often it can run, when a CRD is written.
 * @example environment.estimateCost(ast).max <= STATIC_ESTIMATED_COST_LIMIT // true
 */
export const STATIC_ESTIMATED_COST_LIMIT = 10_000_000n;
/**
 * The same for all rules of one version of a CRD together.
 * @example STATIC_ESTIMATED_CRD_COST_LIMIT // 100000000n
 */
export const STATIC_ESTIMATED_CRD_COST_LIMIT = 100_000_000n;
/** The largest body of a request. No value of a schema is taken to be larger. */
export const MAX_REQUEST_SIZE_BYTES = 3 * 1024 * 1024;
/** In UTF-8 bytes, without surrounding white space. */
export const MAX_MESSAGE_EXPRESSION_SIZE_BYTES = 5 * 1024;

/** Sizes in JSON, quotation marks included. */
export const MIN_STRING_SIZE = 2;
/** The fewest bytes a boolean takes in JSON. */
export const MIN_BOOL_SIZE = 4;
/** The fewest bytes a number takes in JSON. */
export const MIN_NUMBER_SIZE = 1;
/** The fewest bytes a duration takes in JSON, with its quotes. */
export const MIN_DURATION_SIZE = 3;
/** The most bytes a duration takes in JSON. */
export const MAX_DURATION_SIZE = 32;
/** The bytes a date takes in JSON, with its quotes. */
export const DATE_SIZE = 12;
/** The fewest bytes a point in time takes in JSON, with its quotes. */
export const MIN_DATE_TIME_SIZE = 21;
/** The most bytes a point in time takes in JSON. */
export const MAX_DATE_TIME_SIZE = 32;
/** `[]` and `{}`. */
export const MIN_CONTAINER_SIZE = 2;

/** The longest name of a format in the cost of its equality. */
export const MAX_FORMAT_SIZE = 64;
/** The size of the pattern in the estimate of `validate`, for every format. */
export const MAX_NAME_FORMAT_REGEX_SIZE = 128;

/** How many values of a type fit into one request at most, when each takes at least `minSize` bytes and a comma. */
export function maxCardinality(minSize: number): bigint {
  return BigInt(Math.trunc(MAX_REQUEST_SIZE_BYTES / (minSize + 1)));
}
