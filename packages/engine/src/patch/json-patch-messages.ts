/** What evanphx/json-patch v4 says of operations that cannot be applied. */

const MISSING = "missing value";

export const testFailed = (path: string): string => `testing value ${path} failed: test failed`;
export const unexpectedKind = (kind: string): string => `Unexpected kind: ${kind}`;
export const invalidIndex = (index: number): string =>
  `Unable to access invalid index: ${index}: invalid index referenced`;
export const notAnIndex = (key: string, problem: string): string =>
  `value was not a proper array index: '${key}': ${problem}`;
export const nonexistentKey = (key: string): string => `Unable to remove nonexistent key: ${key}: ${MISSING}`;

export const undecodedPath = (kind: string): string => `${kind} operation failed to decode path: ${MISSING}`;
export const pathMissing = (kind: string): string =>
  `${kind} operation failed to decode path: operation missing path field: ${MISSING}`;
export const fromMissing = (kind: string): string =>
  `${kind} operation failed to decode from: operation, missing from field: ${MISSING}`;
export const missingPath = (kind: string, path: string): string =>
  `${kind} operation does not apply: doc is missing path: ${path}: ${MISSING}`;
export const missingQuotedPath = (kind: string, path: string): string => missingPath(kind, `"${path}"`);
export const missingKey = (path: string): string =>
  `replace operation does not apply: doc is missing key: ${path}: ${MISSING}`;
export const missingFrom = (kind: string, path: string): string =>
  `${kind} operation does not apply: doc is missing from path: ${path}: ${MISSING}`;
export const missingDestination = (kind: string, path: string): string =>
  `${kind} operation does not apply: doc is missing destination path: ${path}: ${MISSING}`;
export const testPathMissing = (path: string): string =>
  `test operation does not apply: is missing path: ${path}: ${MISSING}`;
/** Upstream wraps an error that does not exist. */
export const notAContainer = (): string => "replace operation value must be object or array: %!w(<nil>)";
export const inCopy = (from: string, problem: string): string => `error in copy for from: '${from}': ${problem}`;
export const notAdded = (problem: string): string => `error while adding value during copy: ${problem}`;
export const copiedTooMuch = (size: number, limit: number): string =>
  `Unable to complete the copy, the accumulated size increase of copy is ${size}, exceeding the limit ${limit}`;

/** Undefined if there is no problem. */
export function inOperation(kind: string, path: string, problem: string | undefined): string | undefined {
  return problem === undefined ? undefined : `error in ${kind} for path: '${path}': ${problem}`;
}
