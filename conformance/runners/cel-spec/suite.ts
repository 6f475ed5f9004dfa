/** The cases of the cel-spec package, flattened, each with an id that does not depend on the others. */

import { createHash } from "node:crypto";
import { tests as checking } from "@bufbuild/cel-spec/testdata/checking.js";
import { tests as comprehension } from "@bufbuild/cel-spec/testdata/comprehension.js";
import { tests as conformance } from "@bufbuild/cel-spec/testdata/conformance.js";
import { tests as parsing } from "@bufbuild/cel-spec/testdata/parsing.js";

/** Protobuf's JSON form of the parts of a test that are read here. */
export interface SpecTest {
  readonly name?: string;
  readonly expr: string;
  readonly container?: string;
  readonly disableCheck?: boolean;
  readonly checkOnly?: boolean;
  readonly typeEnv?: readonly SpecDecl[];
  readonly bindings?: Readonly<Record<string, { readonly value: SpecValue }>>;
  readonly value?: SpecValue;
  readonly typedResult?: { readonly result?: SpecValue; readonly deducedType?: SpecType };
  readonly evalError?: object;
}

export interface SpecType {
  readonly primitive?: string;
  readonly wrapper?: string;
  readonly wellKnown?: string;
  readonly dyn?: object;
  readonly null?: unknown;
  readonly type?: SpecType;
  readonly typeParam?: string;
  readonly messageType?: string;
  readonly listType?: { readonly elemType?: SpecType };
  readonly mapType?: { readonly keyType?: SpecType; readonly valueType?: SpecType };
  readonly abstractType?: { readonly name: string; readonly parameterTypes?: readonly SpecType[] };
}

export interface SpecOverload {
  readonly overloadId: string;
  readonly params?: readonly SpecType[];
  readonly resultType: SpecType;
  readonly isInstanceFunction?: boolean;
}

export interface SpecDecl {
  readonly name: string;
  readonly ident?: { readonly type: SpecType };
  readonly function?: { readonly overloads: readonly SpecOverload[] };
}

export interface SpecValue {
  readonly nullValue?: null;
  readonly boolValue?: boolean;
  readonly int64Value?: string;
  readonly uint64Value?: string;
  readonly doubleValue?: number | string;
  readonly stringValue?: string;
  readonly bytesValue?: string;
  readonly typeValue?: string;
  readonly listValue?: { readonly values?: readonly SpecValue[] };
  readonly mapValue?: { readonly entries?: readonly { readonly key: SpecValue; readonly value: SpecValue }[] };
  readonly objectValue?: Readonly<Record<string, unknown>>;
  readonly enumValue?: object;
}

export interface SpecCase {
  readonly id: string;
  readonly test: SpecTest;
  /** What cel-go's checker deduced, or the text of its errors, in an environment without libraries. */
  readonly compiled: string | undefined;
}

interface Serialized {
  readonly name: string;
  readonly suites?: readonly Serialized[];
  readonly tests?: readonly { readonly original: SpecTest; readonly type?: string; readonly error?: string }[];
}

function flatten(suite: Serialized, path: string): readonly SpecCase[] {
  const own = (suite.tests ?? []).map(({ original, type, error }) => ({
    id: `${path}/${original.name?.replace(/\s+/g, "-") ?? createHash("sha256").update(original.expr).digest("hex").slice(0, 10)}`,
    test: original,
    compiled: error ?? type,
  }));
  return [...own, ...(suite.suites ?? []).flatMap((child) => flatten(child, `${path}/${child.name}`))];
}

function numberDuplicates(cases: readonly SpecCase[]): readonly SpecCase[] {
  const seen = new Map<string, number>();
  return cases.map((entry) => {
    const count = (seen.get(entry.id) ?? 0) + 1;
    seen.set(entry.id, count);
    return count === 1 ? entry : { ...entry, id: `${entry.id}#${count}` };
  });
}

function load(suite: unknown, name: string): readonly SpecCase[] {
  return numberDuplicates(flatten(suite as Serialized, name));
}

export const conformanceCases = load(conformance, "conformance");
export const checkingCases = load(checking, "checking");
export const parsingCases = load(parsing, "parsing");
export const comprehensionCases = load(comprehension, "comprehension");
