/** The functions and macros of an environment as people read about them: for completion, help and documentation. */
import type { Environment } from "./env.ts";
import type { FunctionDecl, Overload } from "./types/decl.ts";
import type { Macro } from "./types/macro.ts";
import { formatType, type Type } from "./types/type.ts";

/** One overload of a function, or one macro. Example: `${name}${signature}`. */
export interface FunctionReference {
  readonly name: string;
  readonly kind: "function" | "macro";
  /** True if it is called on a receiver: `a.f(b)`. */
  readonly member: boolean;
  /** The type of the receiver; undefined for global functions and for macros, which take lists and maps. */
  readonly receiver: Type | undefined;
  /** The same as text, such as `list(int)`; `list or map` for most macros. */
  readonly receiverText: string;
  /** The arguments and the result without the receiver, such as `(string) → bool`. */
  readonly signature: string;
  readonly doc: string;
  /** An expression that evaluates to true. */
  readonly example: string;
}

/**
 * Everything that expressions can call by name, so no operators: `functionReferences(environment)[0].name`.
 * @example functionReferences(new Environment()).find(({ name }) => name === "size")?.doc
 */
export function functionReferences(environment: Environment): readonly FunctionReference[] {
  const functions = environment.functions().filter(({ name }) => /^[A-Za-z][^@]*$/.test(name));
  return [...environment.macros().map(ofMacro), ...functions.flatMap(ofFunction)];
}

function ofMacro(macro: Macro): FunctionReference {
  const { name, receiver: member, receiverText = "list or map", signature = "", doc = "", example = "" } = macro;
  return {
    name,
    kind: "macro",
    member,
    receiver: undefined,
    receiverText: member ? receiverText : "",
    signature,
    doc,
    example,
  };
}

function ofFunction(declaration: FunctionDecl): FunctionReference[] {
  return declaration.overloads.map((overload) => ofOverload(declaration, overload));
}

function ofOverload(declaration: FunctionDecl, overload: Overload): FunctionReference {
  const receiver = overload.member ? overload.params[0] : undefined;
  return {
    name: declaration.name,
    kind: "function",
    member: overload.member,
    receiver,
    receiverText: receiver === undefined ? "" : formatType(receiver),
    signature: signatureOf(overload),
    doc: overload.doc ?? declaration.doc ?? "",
    example: overload.example ?? declaration.example ?? "",
  };
}

function signatureOf({ member, params, result }: Overload): string {
  const shown = params.slice(member ? 1 : 0).map(formatType);
  return `(${shown.join(", ")}) → ${formatType(result)}`;
}
