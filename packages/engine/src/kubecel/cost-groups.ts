/** Functions that share a price, in the estimate as in the count. */

/** Set so that an expression can afford two. */
export const AUTHORIZATION_CHECK_COST = 350_000;

export const STRING_TRAVERSAL_FACTOR = 0.1;
export const REGEX_LENGTH_FACTOR = 0.25;
export const LIST_CREATE_COST = 10;
const STRUCT_CREATE_COST = 40;

/** The shortest requirement that can be repeated has two characters: `k,`. */
export const REQUIREMENTS_PER_CHARACTER = 0.5;
export const COST_PER_REQUIREMENT = LIST_CREATE_COST + STRUCT_CREATE_COST;

const ONE_UNIT: ReadonlySet<string> = new Set([
  // Building an authorization check and reading a decision.
  ..."serviceAccount path group resource subresource namespace name allowed reason error errored".split(" "),
  // Reading addresses and networks.
  ..."masked prefixLength family isUnspecified isLoopback".split(" "),
  ..."isLinkLocalMulticast isLinkLocalUnicast isGlobalUnicast".split(" "),
  "format.named",
  // Quantities and versions.
  ..."sign asInteger isInteger asApproximateFloat isGreaterThan isLessThan compareTo add sub".split(" "),
  ..."major minor patch".split(" "),
  // Reading URLs.
  ..."getScheme getHostname getHost getPort getEscapedPath getQuery".split(" "),
]);

export function costsOneUnit(functionName: string): boolean {
  return ONE_UNIT.has(functionName);
}
