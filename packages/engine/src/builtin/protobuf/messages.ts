/** Messages of gogo/protobuf's generated code and of apimachinery's envelope. */

export const unexpectedEnd = (): string => "unexpected EOF";
export const overflow = (): string => "proto: integer overflow";
export const badLength = (): string => "proto: negative length found during unmarshaling";
export const wrongWireType = (wireType: number, field: string): string =>
  `proto: wrong wireType = ${wireType} for field ${field}`;
export const illegalWireType = (wireType: number): string => `proto: illegal wireType ${wireType}`;
export const illegalTag = (message: string, tag: number, wireType: number): string =>
  `proto: ${message}: illegal tag ${tag} (wire type ${wireType})`;
export const endGroup = (message: string): string => `proto: ${message}: wiretype end group for non-group`;
export const tooDeep = (): string => "exceeded max depth";
export const emptyData = (): string => "empty data";
export const emptyBody = (): string => "empty body";
export const noPrefix = (): string =>
  "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]";
