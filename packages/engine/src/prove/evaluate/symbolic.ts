/** Values of expressions over an unknown request: constants, places in the request, and terms over them. */
import type { Value } from "@portcullis/cel/internal";
import type { RbacSource } from "../../rbac/authorizer.ts";
import type { RoleBinding } from "../../rbac/objects.ts";
import type { Linear } from "../../symbolic/formula.ts";
import type { ListAlternative, MapAlternative, Sort } from "../sorts/sort.ts";
import type { TextImage } from "../texts/text-images.ts";
import type { Within } from "../theory/text-theory.ts";

/** A place in the request. */
export interface Node {
  /** Equal for places that always hold the same value. */
  readonly id: string;
  readonly sort: Sort;
  readonly parent: Node | undefined;
  /** A key of the parent; undefined for elements and for entries whose key is not known. */
  readonly key: string | undefined;
}

export type ScalarKind = "bool" | "double" | "int" | "other" | "string";

/** The values of places in an example, by id. */
export type Assignment = ReadonlyMap<string, Value>;

/** A scalar that depends on the request. */
export interface Term {
  readonly key: string;
  /** The places it depends on. */
  readonly variables: readonly string[];
  /** Undefined if the example does not define it. */
  readonly evaluate: (values: Assignment) => Value | undefined;
}

/** A whole number as a function of a single place. */
export interface IntForm {
  readonly variable: string;
  /** Undefined if it overflows. */
  readonly apply: (value: bigint) => bigint | number | undefined;
  /** Monotonically (weakly) rising or falling; undefined if neither. */
  readonly direction: 1 | -1 | undefined;
  /** Set if it is a multiple of the place and a constant. */
  readonly line?: { readonly factor: bigint; readonly constant: bigint } | undefined;
  /** Set if it is periodic between breaks. */
  readonly period?: bigint | undefined;
  readonly breaks?: readonly bigint[];
}

/** A double as a rising or falling function of a single place. */
export interface RealForm {
  readonly variable: string;
  readonly apply: (value: number) => number;
  readonly direction: 1 | -1;
}

export interface Scalar {
  readonly k: "scalar";
  readonly kind: ScalarKind;
  readonly term: Term;
  /** For whole numbers, those of type double among them. */
  readonly form?: IntForm | undefined;
  /** For whole numbers, and for quantities in billionths: as a sum of places. */
  readonly sum?: Linear | undefined;
  /** For doubles that need not be whole. */
  readonly real?: RealForm | undefined;
  /** For a string that is another one between constants, with its letters in one case. */
  readonly part?: { readonly variable: string; readonly within: Within } | undefined;
  /** For a string that a function takes out of another one. */
  readonly image?: TextImage | undefined;
  /** For a number of which only bounds are decided: whether it is at most the limit, if that is covered. */
  readonly isAtMost?: ((limit: bigint) => boolean | undefined) | undefined;
  /** Set if it is the length of a string. */
  readonly lengthOf?: { readonly variable: string; readonly more: number } | undefined;
  /** Set for the text of a double, whose zero may be `0` or `-0`. */
  readonly isSigned?: boolean | undefined;
  /** For a question for the authorizer. */
  readonly asked?: Asked | undefined;
  /** The name of the CEL type if the kind is "other". */
  readonly type?: string | undefined;
}

/** What a question for the authorizer is about, and who may do what. */
export type AskedPart = "group" | "path" | "name" | "namespace" | "resource" | "subresource" | "verb";

export interface Asked {
  readonly parts: Readonly<Partial<Record<AskedPart, Sym>>>;
  /** What the request itself is about, and the verbs of which one was allowed. */
  readonly own: Readonly<Partial<Record<AskedPart, Sym>>>;
  readonly verbs: readonly string[];
  readonly rights: Rights;
}

export interface RightsSource extends RbacSource {
  /** All bindings in a namespace; those of ClusterRoleBindings for "". */
  readonly allBindings: (namespace: string) => readonly RoleBinding[];
}

export interface KnownRights {
  readonly source: RightsSource;
  /** Namespaces with role bindings. */
  readonly namespaces: readonly string[];
  /** Whether no other roles and bindings exist. */
  readonly isComplete: boolean;
}

export interface Rights extends KnownRights {
  readonly user: () => { readonly username: Sym; readonly groups: Sym };
}

/** One list of a view, with the steps applied to each element. */
export interface ViewPart {
  readonly source: ListSource;
  readonly steps: readonly ViewStep[];
}

export type ListSource =
  | { readonly k: "items"; readonly items: readonly Sym[] }
  | { readonly k: "listnode"; readonly node: Node; readonly alternative: ListAlternative }
  /** The keys of a map. */
  | { readonly k: "keys"; readonly node: Node; readonly alternative: MapAlternative };

export type ViewStep =
  | { readonly kind: "filter"; readonly apply: (element: readonly Sym[]) => Sym; readonly key: string }
  | { readonly kind: "map"; readonly apply: (element: readonly Sym[]) => Sym; readonly key: string };

export type Sym =
  | { readonly k: "error" }
  /** `key` identifies a value whose text does not, such as a quantity. */
  | { readonly k: "const"; readonly value: Value; readonly key?: string }
  | { readonly k: "node"; readonly node: Node }
  | Scalar
  | { readonly k: "items"; readonly items: readonly Sym[] }
  | { readonly k: "entries"; readonly entries: ReadonlyMap<string, Sym> }
  | { readonly k: "view"; readonly parts: readonly ViewPart[] }
  | { readonly k: "mapnode"; readonly node: Node; readonly alternative: MapAlternative }
  | { readonly k: "count"; readonly view: { readonly parts: readonly ViewPart[] } }
  | { readonly k: "optional"; readonly value: Sym | undefined };

export const ERROR: Sym = { k: "error" };
export const TRUE: Sym = { k: "const", value: true };
export const FALSE: Sym = { k: "const", value: false };
export const NULL_SYM: Sym = { k: "const", value: null };

export function constant(value: Value): Sym {
  return { k: "const", value };
}

export function truth(value: boolean): Sym {
  return value ? TRUE : FALSE;
}

export function isConstBool(sym: Sym, value: boolean): boolean {
  return sym.k === "const" && sym.value === value;
}

export function variableTerm(id: string): Term {
  return { key: id, variables: [id], evaluate: (values) => values.get(id) };
}
