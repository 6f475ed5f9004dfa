/** The messages of the parser, verbatim from cel-go. */

export const unableToUnescape = "unable to unescape string";
export const invalidCodePoint = "invalid unicode code point";
export const invalidInt = "invalid int literal";
export const invalidUint = "invalid uint literal";
export const invalidDouble = "invalid double literal";

export const invalidHasArgument = "invalid argument to has() macro";
export const notAnIdentifier = "argument is not an identifier";
export const notASimpleName = "argument must be a simple name";
export const overwritesAccumulator = "iteration variable overwrites accumulator variable";

export const unsupportedIdentKind = "unsupported ident kind";
export const unsupportedBackquote = "unsupported syntax: '`'";
export const maxRecursionDepthExceeded = "max recursion depth exceeded";
export const operatorNotFound = "operator not found";
export const unknownParseElement = "unknown parse element encountered: <<nil>>";

export const reservedIdentifier = (name: string): string => `reserved identifier: ${name}`;
export const unsupportedSyntax = (syntax: string): string => `unsupported syntax '${syntax}'`;
export const unexpectedCharacter = (wanted: string): string => `unexpected character, wanted '${wanted}'`;
export const syntaxError = (detail: string): string => `Syntax error: ${detail}`;
export const tooManySyntaxErrors = (limit: number): string => `More than ${limit} syntax errors`;
export const recoveryLimitExceeded = (limit: number): string => `error recovery attempt limit exceeded: ${limit}`;
export const lookaheadLimitExceeded = (limit: number): string =>
  `error recovery token lookahead limit exceeded: ${limit}`;
export const recursionLimitExceeded = (limit: number): string => `expression recursion limit exceeded: ${limit}`;
export const codePointLimitExceeded = (size: number, limit: number): string =>
  `expression code point size exceeds limit: size: ${size}, limit ${limit}`;
export const expectedIdentifier = (found: string): string => `mismatched input '${found}' expecting IDENTIFIER`;
