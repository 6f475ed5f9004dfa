/** Questions for the authorizer: they may have any answer, and do not fail. */
import type { Call } from "./call.ts";
import { kindName } from "./relate.ts";
import type { State } from "./state.ts";
import type { Sym } from "./symbolic.ts";

/** Steps of a question for the authorizer, which fail on no string. Only an empty resource or path fails. */
const AUTHORIZER_STEPS = new Set([
  "group",
  "subresource",
  "namespace",
  "name",
  "check",
  "allowed",
  "errored",
  "reason",
]);

export function isAuthorizerStep({ name, args: [first, ...rest] }: Call): boolean {
  const isAuthorizer = first !== undefined && /^(authorizer|kubernetes\.authorization\.)/.test(kindName(first));
  if (!isAuthorizer || !rest.every((each) => kindName(each) === "string")) return false;
  const [only] = rest;
  const isNamed = only?.k === "const" && typeof only.value === "string" && only.value.trim() !== "";
  return AUTHORIZER_STEPS.has(name) || (name === "resource" && isNamed);
}

/** Authorizers within the API server never fail; one that it calls may. */
export function withoutAuthorizerError(state: State, { args: [first] }: Call, result: Sym): Sym | undefined {
  if (first === undefined || !/^kubernetes\.authorization\./.test(kindName(first))) return undefined;
  state.relies.add("authorizer");
  return result;
}
