/** Functions by what they cost and by the size of what they return. */

/** Functions whose result is small. */
export const SMALL_RESULT =
  /^(_[<>=!]=?_|!_|@not_strictly_false|@in|size|has\w*|is\w*|get\w*|startsWith|endsWith|contains|matches|int|uint|double|bool|type|-_|_[-*/%]_|_&&_|_\|\|_|compareTo|check|allowed|errored|sets\..*|min|max|sum|indexOf|lastIndexOf|asInteger|asApproximateFloat)$/;

/** Functions with a fixed price. */
export const FIXED =
  /^(_&&_|_\|\|_|!_|_\?_:_|@not_strictly_false|size|_\[_\]|_\[\?_\]|_\?\._|type|dyn|optional\..*|hasValue|value|orValue|or|-_|_[-*/%]_|allowed|errored|isLessThan|isGreaterThan|compareTo|isInteger|asInteger|asApproximateFloat|sign|add|sub)$/;

/** Functions that read their operands once. */
export const LINEAR =
  /^(_[<>=!]=?_|@in|startsWith|endsWith|_\+_|string|int|uint|double|bool|quantity|isQuantity|duration|timestamp|lowerAscii|upperAscii|trim|split|substring|url|isURL|ip|isIP|cidr|isCIDR|semver|isSemver)$/;

/** Steps to a question for the authorizer. */
export const AUTHORIZER = /^(group|resource|subresource|namespace|name|path|serviceAccount|check|reason)$/;

/** Functions that read one text for each character of another, at these prices for a character. */
export const SEARCHES: Readonly<Record<string, readonly [number, number]>> = {
  contains: [0.1, 0.1],
  matches: [0.1, 0.25],
  find: [0.1, 0.25],
  findAll: [0.1, 0.25],
};
