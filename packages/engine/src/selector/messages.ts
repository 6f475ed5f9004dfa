/** The messages of label and field selectors. */
import { quote } from "@portcullis/gostd/quote";

export const badRequirement = (problem: string): string => `unable to parse requirement: ${problem}`;
export const expectedStart = (found: string): string => `found '${found}', expected: !, identifier, or 'end of string'`;
export const expectedCommaOrEnd = (found: string): string => `found '${found}', expected: ',' or 'end of string'`;
export const expectedAfterComma = (found: string): string => `found '${found}', expected: identifier after ','`;
export const expectedIdentifier = (found: string): string => `found '${found}', expected: identifier`;
export const expectedOperator = (found: string): string => `found '${found}', expected: in, notin, =, ==, !=, gt, lt`;
export const expectedOpen = (found: string): string => `found '${found}' expected: '('`;
export const expectedClose = (found: string): string => `found '${found}', expected: ')'`;
export const expectedValue = (found: string): string => `found '${found}', expected: ',', ')' or identifier`;
export const expectedCommaOrClose = (found: string): string => `found '${found}', expected: ',' or ')'`;
export const expectedCommaOrIdentifier = (found: string): string => `found '${found}', expected: ',', or identifier`;
export const keywordExpected = (found: string): string => `error expected: keyword found '${found}'`;

export const valuesEmpty = (): string => "for 'in', 'notin' operators, values set can't be empty";
export const valuesNotEmpty = (): string => "values set must be empty for exists and does not exist";
export const oneIntegerNeeded = (): string => "for 'Gt', 'Lt' operators, exactly one value is required";
export const notAnInteger = (): string => "for 'Gt', 'Lt' operators, the value must be an integer";
export const badOperator = (name: string): string => `${quote(name)} is not a valid label selector operator`;

export const badFieldTerm = (selector: string, part: string): string =>
  `invalid selector: '${selector}'; can't understand '${part}'`;
export const badEscape = (sequence: string): string => `invalid field selector: invalid escape sequence: ${sequence}`;
/** Upstream prints the character as a number. */
export const unescapedCharacter = (code: number): string =>
  `invalid field selector: unescaped character in value: ${code}`;
