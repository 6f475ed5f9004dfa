/** Questions for the authorizer: what the given roles and the request itself do not decide may have any answer. */
import type { AuthorizationAttributes } from "../../kubecel/library/authz.ts";
import { resolveRole } from "../../rbac/authorizer.ts";
import type { Subject } from "../../rbac/objects.ts";
import { ruleAllows } from "../../rbac/rules.ts";
import { decideText } from "../texts/texts.ts";
import { INFEASIBLE } from "../theory/path-search.ts";
import { exactly, type TextTest } from "../theory/text-theory.ts";
import { type Call, termOf } from "./call.ts";
import { keyOf } from "./keys.ts";
import { outcomeOf } from "./quantify.ts";
import { isEqual, isMember, kindName } from "./relate.ts";
import type { State } from "./state.ts";
import {
  type Asked,
  type AskedPart,
  constant,
  isConstBool,
  type Rights,
  type RightsSource,
  type Sym,
  TRUE,
  truth,
} from "./symbolic.ts";

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
  return AUTHORIZER_STEPS.has(name) || ((name === "resource" || name === "path") && isNamed);
}

/** Authorizers within the API server never fail; one that it calls may. */
export function withoutAuthorizerError(state: State, { args: [first] }: Call, result: Sym): Sym | undefined {
  if (first === undefined || !/^kubernetes\.authorization\./.test(kindName(first))) return undefined;
  state.relies.add("authorizer");
  return result;
}

const PARTS: Readonly<Record<string, AskedPart>> = {
  group: "group",
  resource: "resource",
  subresource: "subresource",
  namespace: "namespace",
  name: "name",
  path: "path",
  check: "verb",
};

/** A step adds to the question. Questions with the same parts are the same, whatever the steps were. */
export function authorizerStep(call: Call): Sym | undefined {
  const [first, part] = call.args;
  const target = PARTS[call.name];
  if (first?.k !== "scalar" || first.asked === undefined || part === undefined || target === undefined)
    return undefined;
  if (!isAuthorizerStep(call)) return undefined;
  const asked = { ...first.asked, parts: { ...first.asked.parts, [target]: part } };
  const type = call.type?.kind === "object" ? call.type.name : undefined;
  return { k: "scalar", kind: "other", type, term: { ...termOf(call), key: askedKey(asked) }, asked };
}

const ORDER: readonly AskedPart[] = ["verb", "path", "group", "resource", "subresource", "namespace", "name"];

function askedKey({ parts }: Asked): string {
  const texts = ORDER.map((name) => parts[name]).map((part) => (part === undefined ? 'string:""' : keyOf(part)));
  return `authorizer(${texts.join(", ")})`;
}

/** The answer to a question; undefined if it may be any. */
export function isAllowed(state: State, { args: [decision] }: Call): Sym | undefined {
  const asked = decision?.k === "scalar" ? decision.asked : undefined;
  if (asked?.parts.verb === undefined) return undefined;
  const key = `allowed ${askedKey(asked)}`;
  const known = state.facts.get(key);
  if (known !== undefined) return truth(known === 1);
  const answer = isOwnCreate(asked) ? TRUE : allowedByRights(state, asked.parts, asked.rights);
  if (answer === undefined) return undefined;
  state.relies.add("authorizer");
  if (!isConstBool(answer, true)) requireOwnRights(state, asked);
  state.facts.set(key, isConstBool(answer, true) ? 1 : 0);
  return answer;
}

/** The server has allowed the request itself. */
function requireOwnRights(state: State, { own, verbs, rights }: Asked): void {
  const isAllowedTo = (verb: string): boolean =>
    isConstBool(allowedByRights(state, { ...own, verb: constant(verb) }, rights) ?? TRUE, true);
  if (verbs.length > 0 && !verbs.some(isAllowedTo)) throw INFEASIBLE;
}

/** Who creates an object may create it: the server asks before admission. */
function isOwnCreate({ parts, own, verbs }: Asked): boolean {
  if (!verbs.includes("create") || textOf(parts.verb) !== "create" || parts.path !== undefined) return false;
  const isSame = (name: AskedPart): boolean => sameText(parts[name], own[name]);
  return (["group", "resource", "subresource", "namespace", "name"] as const).every(isSame);
}

function sameText(left: Sym | undefined, right: Sym | undefined): boolean {
  return keyOf(left ?? constant("")) === keyOf(right ?? constant(""));
}

function textOf(sym: Sym | undefined): string | undefined {
  if (sym === undefined) return "";
  return sym.k === "const" && typeof sym.value === "string" ? sym.value : undefined;
}

/** Undefined if other roles may exist, or if it is not known what is asked. */
function allowedByRights(
  state: State,
  parts: Asked["parts"],
  { source, namespaces, isComplete, user }: Rights,
): Sym | undefined {
  const question = questionOf(parts);
  if (question === undefined) return undefined;
  if (isMemberOf(state, user().groups, "system:masters")) return TRUE;
  const isNamed = (names: readonly string[]): boolean =>
    names.some((name) => isEqual(state, parts.name ?? constant(""), constant(name)));
  const isWithin = (name: string): boolean =>
    name === "" || isEqual(state, parts.namespace ?? constant(""), constant(name));
  const grants = grantsOf(question, source, namespaces);
  const isGranted = ({ namespace, names, subjects }: Grant): boolean =>
    isWithin(namespace) && hasSubject(state, user(), subjects) && (names.length === 0 || isNamed(names));
  if (grants.some(isGranted)) return TRUE;
  return isComplete ? truth(false) : undefined;
}

/** Who may do something in a namespace, or in all; only with some names, or with any. */
interface Grant {
  readonly namespace: string;
  readonly names: readonly string[];
  readonly subjects: readonly Subject[];
}

const grantsOfSource = new WeakMap<RightsSource, Map<string, readonly Grant[]>>();

function grantsOf(question: AuthorizationAttributes, source: RightsSource, namespaces: readonly string[]) {
  const known = grantsOfSource.get(source) ?? new Map<string, readonly Grant[]>();
  grantsOfSource.set(source, known);
  const key = JSON.stringify(ASKED.map((name) => (name === "group" ? question.apiGroup : question[name])));
  const made = known.get(key) ?? ["", ...namespaces].flatMap((namespace) => grantsIn(namespace, question, source));
  known.set(key, made);
  return made;
}

/** One for all who may do it with any name. */
function grantsIn(namespace: string, question: AuthorizationAttributes, source: RightsSource): Grant[] {
  const each = source.allBindings(namespace).flatMap((binding) => {
    const role = resolveRole(binding, source);
    const rules = typeof role === "string" ? [] : role.rules;
    const subjects = binding.subjects.map((one) => ({ ...one, namespace: one.namespace || binding.namespace }));
    return rules
      .filter((rule) => ruleAllows({ ...rule, resourceNames: [] }, question))
      .map(({ resourceNames }) => ({ namespace, names: resourceNames, subjects }));
  });
  const free = each.filter(({ names }) => names.length === 0);
  const all = free.length === 0 ? [] : [{ namespace, names: [], subjects: free.flatMap(({ subjects }) => subjects) }];
  return [...all, ...each.filter(({ names }) => names.length > 0)];
}

function hasSubject(
  state: State,
  { username, groups }: ReturnType<Rights["user"]>,
  subjects: readonly Subject[],
): boolean {
  const inGroups = subjects.flatMap(({ kind, name }) => (kind === "Group" ? [name] : []));
  if ([...new Set(inGroups)].some((name) => isMemberOf(state, groups, name))) return true;
  const names = subjects.flatMap(({ kind, name, namespace }) => {
    if (kind === "User") return [name];
    return kind === "ServiceAccount" && namespace !== "" ? [`system:serviceaccount:${namespace}:${name}`] : [];
  });
  return names.length > 0 && username.k === "scalar" && decideText(state, username, oneOfTest([...new Set(names)]));
}

/** One test for all names: there are many default bindings. */
function oneOfTest(names: readonly string[]): TextTest {
  return {
    key: `one of ${JSON.stringify(names)}`,
    pattern: names.map(exactly).join("|"),
    holds: (text) => names.includes(text),
    ...(names.length === 1 ? { equals: names[0] } : {}),
  };
}

/** Undefined if not all of it is known. */
function questionOf(parts: Asked["parts"]): AuthorizationAttributes | undefined {
  const [verb, group, resource, subresource, path] = ASKED.map((name) => textOf(parts[name]));
  if ([verb, group, resource, subresource, path].includes(undefined)) return undefined;
  const isPath = parts.path !== undefined;
  return {
    ...NO_QUESTION,
    verb: verb ?? "",
    apiGroup: group ?? "",
    resource: resource ?? "",
    subresource: subresource ?? "",
    path: path ?? "",
    resourceRequest: !isPath,
  };
}

const ASKED = ["verb", "group", "resource", "subresource", "path"] as const;

const NO_QUESTION = {
  user: { name: "", uid: "", groups: [], extra: new Map() },
  apiVersion: "*",
  namespace: "",
  name: "",
  fieldSelector: "",
  labelSelector: "",
} as const;

/** Everybody is either authenticated or not. */
function isMemberOf(state: State, groups: Sym, name: string): boolean {
  const isIn = (each: string): boolean => {
    const key = `member ${JSON.stringify(each)} of ${keyOf(groups)}`;
    const known = state.facts.get(key);
    if (known !== undefined) return known === 1;
    const found = outcomeOf(state, isMember(state, constant(each), groups)) === "T";
    state.facts.set(key, found ? 1 : 0);
    return found;
  };
  const found = isIn(name);
  if (!found && name === "system:authenticated" && !isIn("system:unauthenticated")) throw INFEASIBLE;
  return found;
}
