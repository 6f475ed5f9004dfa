/**
 * Impersonation by request headers.
 *
 * A user needs either the right to impersonate the user, each group and each extra value (the legacy check), or the
 * narrower rights for this verb: both `impersonate:MODE` and `impersonate-on:MODE:VERB`. The narrow checks are first, and
 * the refusal of the first is the one returned. Where the gate ConstrainedImpersonation is off, the legacy check is the
 * only one. Follows apiserver pkg/endpoints/filters/impersonation.
 */

import { checkDnsSubdomain } from "@portcullis/engine/internal/field/names";
import {
  ANONYMOUS,
  AUTHENTICATED,
  MASTERS,
  serviceAccountGroups,
  splitServiceAccount,
  UNAUTHENTICATED,
  type User,
} from "@portcullis/engine/internal/rbac/user";
import type { Attributes, Authorizer } from "@portcullis/engine/internal/review/authorizer";
import { forbiddenTo } from "@portcullis/engine/internal/review/refusal";
import { badRequest, type StatusError } from "@portcullis/engine/internal/status/error";
import { pathUnescape } from "@portcullis/gostd/url";
import type { ApiRequest } from "../http/exchange.ts";
import * as messages from "./messages.ts";
import { runsOn } from "./node/runs-on.ts";

/** Who the request is made as: the requester where no header says otherwise; and the constrained verb that allowed it. */
export async function impersonate(
  request: ApiRequest,
  attributes: Attributes,
  authorizer: Authorizer,
  isConstrained: boolean,
): Promise<{ readonly user: User; readonly constraint?: string | undefined }> {
  const wanted = readWanted(request);
  if (wanted === undefined) return { user: attributes.user };
  let first: StatusError | undefined;
  const modes: readonly Mode[] = isConstrained ? modesFor(wanted, attributes.user) : [UNCONSTRAINED];
  for (const mode of modes) {
    const refused = await checkMode(mode, wanted, attributes, authorizer);
    if (refused === undefined) {
      const constraint = isLegacy(mode) ? undefined : `impersonate:${mode}`;
      return { user: actualUser(wanted, mode), constraint };
    }
    first ??= refused;
  }
  throw first ?? new Error("no way to impersonate applies");
}

const PREFIX = "impersonate-extra-";

function readWanted(request: ApiRequest): User | undefined {
  if (!request.headerNames().some((name) => name.startsWith("impersonate-"))) return undefined;
  const groups = [...request.headerValues("impersonate-group")];
  const extra = new Map<string, string[]>();
  for (const name of request.headerNames()) {
    if (!name.startsWith(PREFIX)) continue;
    const key = pathUnescape(name.slice(PREFIX.length));
    extra.set(key.error === undefined ? key.value : name.slice(PREFIX.length), [...request.headerValues(name)]);
  }
  const [name, uid] = [request.header("impersonate-user") ?? "", request.header("impersonate-uid") ?? ""];
  const user: User = { name, uid, groups, extra };
  if (name !== "") return user;
  if (uid !== "" || groups.length > 0 || extra.size > 0) throw badRequest(messages.impersonationWithoutUser(user));
  return undefined;
}

/** What the legacy check is where it is the only one: it asks about the UID last. */
const UNCONSTRAINED = "unconstrained";

type Mode = "associated-node" | "arbitrary-node" | "serviceaccount" | "user-info" | "legacy" | typeof UNCONSTRAINED;

function isLegacy(mode: Mode): boolean {
  return mode === "legacy" || mode === UNCONSTRAINED;
}

function modesFor(wanted: User, requester: User): Mode[] {
  const isBare = wanted.uid === "" && wanted.groups.length === 0 && wanted.extra.size === 0;
  const node = nodeName(wanted.name);
  if (node !== undefined && isBare) {
    return [...(runsOn(requester, node) ? (["associated-node"] as const) : []), "arbitrary-node", "legacy"];
  }
  if (node !== undefined) return ["legacy"];
  if (splitServiceAccount(wanted.name) !== undefined) return isBare ? ["serviceaccount", "legacy"] : ["legacy"];
  return ["user-info", "legacy"];
}

function nodeName(user: string): string | undefined {
  const name = /^system:node:(.*)$/.exec(user)?.[1];
  return name !== undefined && checkDnsSubdomain(name).length === 0 ? name : undefined;
}

/** Webhooks that authorize see which keys the requester had, but no values: the answer is valid on every node. */
function withoutExtra(requester: User): User {
  const keys = [...requester.extra.keys()].sort();
  return { ...requester, extra: new Map([["authentication.kubernetes.io/associated-node-keys", keys]]) };
}

/** Why not; undefined if it is allowed. */
async function checkMode(
  mode: Mode,
  wanted: User,
  attributes: Attributes,
  authorizer: Authorizer,
): Promise<StatusError | undefined> {
  const questions: Attributes[] = [];
  const user = mode === "associated-node" ? withoutExtra(attributes.user) : attributes.user;
  if (!isLegacy(mode)) questions.push({ ...attributes, user, verb: `impersonate-on:${mode}:${attributes.verb}` });
  questions.push(...partsOf(wanted, mode, user));
  const banned = !isLegacy(mode) ? bannedPart(wanted, mode, attributes.user) : undefined;
  for (const question of questions) {
    if (banned !== undefined && question.resource === "groups") return banned;
    const { verdict, reason } = await authorizer(question);
    if (verdict !== "allow") return forbiddenTo(question, reason);
  }
  return undefined;
}

/** Groups that the narrow way never gives. */
function bannedPart(wanted: User, mode: Mode, requester: User): StatusError | undefined {
  const about = part(requester, mode, { resource: "groups", name: "" });
  if (wanted.groups.includes("")) return forbiddenTo(about, messages.emptyGroup());
  return wanted.groups.includes(MASTERS)
    ? forbiddenTo({ ...about, name: MASTERS }, messages.mastersGroup())
    : undefined;
}

function partsOf(wanted: User, mode: Mode, requester: User): Attributes[] {
  const account = splitServiceAccount(wanted.name);
  const node = isNodeMode(mode) ? nodeName(wanted.name) : undefined;
  const user =
    account !== undefined
      ? { resource: "serviceaccounts", name: account.name, namespace: account.namespace }
      : node !== undefined
        ? { resource: "nodes", name: mode === "associated-node" ? "*" : node }
        : { resource: "users", name: wanted.name };
  const uids = wanted.uid === "" ? [] : [{ resource: "uids", name: wanted.uid, group: AUTHENTICATION }];
  const groups = wanted.groups.map((name) => ({ resource: "groups", name }));
  const extras = [...wanted.extra].flatMap(([subresource, values]) =>
    values.map((name) => ({ resource: "userextras", subresource, name, group: AUTHENTICATION })),
  );
  const others = mode === UNCONSTRAINED ? [...groups, ...extras, ...uids] : [...uids, ...groups, ...extras];
  return [user, ...others].map((each) => part(requester, mode, each));
}

function isNodeMode(mode: Mode): boolean {
  return mode === "associated-node" || mode === "arbitrary-node";
}

const AUTHENTICATION = "authentication.k8s.io";

function part(user: User, mode: Mode, over: Partial<Attributes>): Attributes {
  return {
    user,
    isResource: true,
    path: "",
    version: "v1",
    resource: "",
    subresource: "",
    namespace: "",
    name: "",
    verb: isLegacy(mode) ? "impersonate" : `impersonate:${mode}`,
    group: isLegacy(mode) ? "" : AUTHENTICATION,
    ...over,
  };
}

function actualUser(wanted: User, mode: Mode): User {
  const account = splitServiceAccount(wanted.name);
  const own = isNodeMode(mode) ? ["system:nodes"] : account ? serviceAccountGroups(account.namespace) : [];
  const groups = wanted.groups.length > 0 ? wanted.groups : own;
  const last = wanted.name === ANONYMOUS.name ? UNAUTHENTICATED : AUTHENTICATED;
  const isComplete = groups.includes(last) || (last === AUTHENTICATED && groups.includes(UNAUTHENTICATED));
  return { ...wanted, groups: isComplete ? groups : [...groups, last] };
}
