/** The messages of mutating admission policies. */
import { CelError, type Value } from "@portcullis/cel";
import { quote } from "@portcullis/gostd/quote";
import { goTypeOf } from "./go-type.ts";

// Making values

export const unknownPatchField = (name: string): CelError => new CelError(`unexpected JSONPatchType field: ${name}`);
export const wrongPatchField = (name: string, value: Value): CelError =>
  new CelError(`unexpected type ${goTypeOf(value)} for JSONPatchType '${name}' field`);
export const wrongTypeName = (found: string, expected: string): string =>
  `unexpected type name ${quote(found)}, expected ${quote(expected)}, which matches field name path from root Object type`;
export const typeMismatch = (problems: readonly string[]): string => `type mismatch: ${problems.join("\n")}`;
export const notConverted = (field: string, problem: string): string =>
  `fail to convert field ${quote(field)}: ${problem}`;
export const keyNotString = (key: string, goType: string): string => `map key ${key} is of type ${goType}, not string`;
export const invalidReturnType = (): string => "invalid return type: *dynamic.ObjectVal";

// Applying configurations

export const applyFailed = (problem: string): string => `error applying patch: ${problem}`;
export const patchNotTyped = (problem: string): string => `failed to convert patch object to typed object: ${problem}`;
export const originalNotTyped = (problem: string): string =>
  `failed to convert original object to typed object: ${problem}`;
export const mutatesAtomics = (paths: readonly string[]): string =>
  `invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: ${paths.join(", ")}`;

/** Ours: upstream runs out of memory or time. */
export const tooLarge = (): string => "the value has more elements than an object can have";

// Applying JSON patches

export const patchFailed = (problem: string): string => `JSON Patch: ${problem}`;
export const notJson = (problem: string): string =>
  `JSONPath valueExpression evaluated to a type that could not marshal to JSON: ${problem}`;
export const notFinite = (number: number): string =>
  `json: error calling MarshalJSON for type *structpb.Value: proto: google.protobuf.Value.number_value: invalid ${goNumber(number)} value`;
export const invalidProtoType = (goType: string): string => `proto: invalid type: ${goType}`;

function goNumber(number: number): string {
  if (Number.isNaN(number)) return "NaN";
  return number > 0 ? "+Inf" : "-Inf";
}

// Answering

export const denied = (policy: string, binding: string | undefined, message: string): string =>
  binding === undefined
    ? `policy ${quote(policy)} denied request: ${message}`
    : `policy '${policy}' with binding '${binding}' denied request: ${message}`;
export const schemaMissing = (kind: string): string =>
  `Resource kind ${kind} not found. There can be a delay between when CustomResourceDefinitions are created and when they are available.`;
export const notConvertedBack = (problem: string): string => `failed to convert object: ${problem}`;

// Writing policies

export const mutationNeeded = (): string => "mutations must contain at least one item";
export const neededFor = (patchType: string): string => `must be specified when patchType is ${patchType}`;
export const excludedBy = (patchType: string): string => `must not be specified when patchType is ${patchType}`;
