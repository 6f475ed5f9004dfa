/** The messages of the checker and the validators, verbatim from cel-go (checker/errors.go, checker/env.go, cel/validator.go). */
import { formatType, type Type } from "../types/type.ts";
import { runtimeTypeName } from "../values/type-of.ts";

export function undeclaredReference(name: string, container: string): string {
  return `undeclared reference to '${name}' (in container '${container}')`;
}

export function undefinedField(field: string): string {
  return `undefined field '${field}'`;
}

export function unexpectedFailedResolution(typeName: string): string {
  return `unexpected failed resolution of '${typeName}'`;
}

export function noMatchingOverload(functionName: string, args: readonly Type[], isMember: boolean): string {
  return `found no matching overload for '${functionName}' applied to '${formatSignature(args, isMember)}'`;
}

export function typeMismatch(expected: Type, actual: Type): string {
  return `expected type '${describeType(expected)}' but found '${describeType(actual)}'`;
}

export function fieldTypeMismatch(field: string, expected: Type, actual: Type): string {
  return `expected type of field '${field}' is '${describeType(expected)}' but provided type is '${describeType(actual)}'`;
}

export function noFieldSelection(type: Type): string {
  return `type '${describeType(type)}' does not support field selection`;
}

export function notAComprehensionRange(type: Type): string {
  return `expression of type '${describeType(type)}' cannot be range of a comprehension (must be list, map, or dynamic)`;
}

export function unsupportedOptionalSelection(detail: string): string {
  return `unsupported optional field selection: ${detail}`;
}

export function incorrectOptionalSignature(isMember: boolean, argCount: number): string {
  return `incorrect signature.${isMember ? " member call with" : ""} argument count: ${argCount}`;
}

export function notAType(typeName: string): string {
  return `'${typeName}' is not a type`;
}

export function notAMessageType(typeName: string): string {
  return `'${typeName}' is not a message type`;
}

/** Our own: upstream would continue until memory runs out. */
export function typeTooComplex(): string {
  return "the types of this expression are too complex to check";
}

export function invalidArgument(functionName: string): string {
  return `invalid ${functionName} argument`;
}

export function nestingLimitExceeded(): string {
  return "comprehension exceeds nesting limit";
}

/** `(int, string)`, or `int.(string)` where the first is the receiver. */
function formatSignature(args: readonly Type[], isMember: boolean): string {
  const [receiver, ...rest] = args;
  if (!isMember || receiver === undefined) return `(${args.map(describeType).join(", ")})`;
  return `${describeType(receiver)}.(${rest.map(describeType).join(", ")})`;
}

const DESCRIBED_NODES = 10_000;

/** A type in full, unless writing it out would fill memory: shared parts make small types with huge texts. */
function describeType(type: Type): string {
  return countNodes(type, DESCRIBED_NODES) < 0 ? `${runtimeTypeName(type)}(...)` : formatType(type);
}

/** The rest of the budget after visiting every part of a type; negative if it was exceeded. */
function countNodes(type: Type, budget: number): number {
  let left = budget - 1;
  if (left < 0) return left;
  for (const part of typeParts(type)) {
    left = countNodes(part, left);
    if (left < 0) break;
  }
  return left;
}

const NO_PARTS: readonly Type[] = [];

function typeParts(type: Type): readonly Type[] {
  switch (type.kind) {
    case "list":
      return [type.element];
    case "map":
      return [type.key, type.value];
    case "opaque":
      return type.params;
    case "type":
      return type.of === undefined ? NO_PARTS : [type.of];
    case "wrapper":
      return [type.of];
    default:
      return NO_PARTS;
  }
}

/** Like `runtimeTypeName`, but marks nullable primitives. */
export function declaredTypeName(type: Type): string {
  const name = runtimeTypeName(type);
  return type.kind === "wrapper" ? `wrapper(${name})` : name;
}
