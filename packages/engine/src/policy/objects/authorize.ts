/**
 * The permission that writing a policy or a binding requires in addition to the write itself: reading its params.
 *
 * Asked only once the object is valid, and only where the reference is new; `system:masters` is not asked. Follows
 * kubernetes pkg/registry/admissionregistration/validatingadmissionpolicy{,binding}/authz.go.
 */
import { type FieldError, forbidden } from "../../field/error.ts";
import { newPath } from "../../field/path.ts";
import {
  type AuthorizationAttributes,
  type Authorizer,
  NOTHING_ASKED,
  type UserInfo,
} from "../../kubecel/library/authz.ts";
import { semanticEqual } from "../../value/equal.ts";
import { objectOf } from "../../value/read.ts";
import { type GroupVersionKind, parseGroupVersion } from "../attributes.ts";
import type { PolicyBinding } from "../binding.ts";
import type { AdmissionPolicy, ParamKind } from "../policy.ts";
import * as messages from "./object-messages.ts";

export interface WriteContext {
  readonly user: UserInfo;
  readonly authorizer: Authorizer;
  /** The resource a kind is served under. */
  readonly resourceOf: (kind: GroupVersionKind) => string | undefined;
  /** For bindings: those of mutating policies are refused with slightly different messages. */
  readonly isMutating?: boolean;
}

const SUPERUSERS = "system:masters";

export function authorizePolicy(
  policy: Pick<AdmissionPolicy, "paramKind">,
  old: Pick<AdmissionPolicy, "paramKind"> | undefined,
  { user, authorizer, resourceOf }: WriteContext,
): FieldError[] {
  const { paramKind } = policy;
  if (paramKind === undefined || isSameKind(paramKind, old?.paramKind) || user.groups.includes(SUPERUSERS)) return [];
  const target = targetOf(paramKind, resourceOf);
  const answer = authorizer.authorize({ ...ask(user, "get"), ...target.where, namespace: "*", name: "*" });
  const at = newPath("spec", "paramKind");
  if (answer.error !== undefined) return [forbidden(at, answer.error)];
  if (answer.decision === "allow") return [];
  return [forbidden(at, messages.paramKindNotReadable(formatUser(user), paramKind.kind, paramKind.apiVersion))];
}

function isSameKind(kind: ParamKind, old: ParamKind | undefined): boolean {
  return old !== undefined && kind.apiVersion === old.apiVersion && kind.kind === old.kind;
}

/** `policy` is the one the binding names, where it exists. */
export function authorizeBinding(
  binding: PolicyBinding,
  old: PolicyBinding | undefined,
  policy: Pick<AdmissionPolicy, "paramKind"> | undefined,
  { user, authorizer, resourceOf, isMutating = false }: WriteContext,
): FieldError[] {
  const { paramRef } = binding;
  if (paramRef === undefined || isSameReference(binding, old) || user.groups.includes(SUPERUSERS)) return [];
  const verb = paramRef.name === "" ? "list" : "get";
  const target = targetOf(policy?.paramKind, resourceOf);
  const { name, namespace } = paramRef;
  const answer = authorizer.authorize({ ...ask(user, verb), ...target.where, namespace, name });
  const at = newPath("spec", "paramRef");
  if (answer.error !== undefined) {
    return [forbidden(at, isMutating ? answer.error : messages.authorizeFailed(answer.error))];
  }
  if (answer.decision === "allow") return [];
  const problem = policy === undefined ? `get policy ${binding.policyName}` : target.problem;
  return [
    forbidden(
      at,
      problem === undefined
        ? notReadable(formatUser(user), verb, isMutating)
        : messages.everythingNotReadable(problem, formatUser(user), verb),
    ),
  ];
}

/** For mutating policies upstream has the two the wrong way round. */
function notReadable(user: string, verb: string, isMutating: boolean): string {
  return isMutating ? messages.paramRefNotReadable(verb, user) : messages.paramRefNotReadable(user, verb);
}

// Upstream compares pointers inside the reference, so one that arrived with a request never equals a stored one
// unless it has neither selector nor action; the action being required, the user is always asked.
function isSameReference(binding: PolicyBinding, old: PolicyBinding | undefined): boolean {
  if (old?.paramRef === undefined || binding.paramRef === undefined) return false;
  const hasPointers = binding.paramRef.selector !== undefined || binding.paramRef.parameterNotFoundAction !== undefined;
  const [left, right] = [binding, old].map(({ json }) => objectOf(json["spec"])["paramRef"] ?? null);
  return !hasPointers && binding.policyName === old.policyName && semanticEqual(left, right);
}

interface Target {
  readonly where: Pick<AuthorizationAttributes, "apiGroup" | "apiVersion" | "resource">;
  readonly problem: string | undefined;
}

/** Everything, unless the kind says what exactly. */
function targetOf(paramKind: ParamKind | undefined, resourceOf: WriteContext["resourceOf"]): Target {
  const everything = { apiGroup: "*", apiVersion: "*", resource: "*" };
  if (paramKind === undefined) return { where: everything, problem: undefined };
  const shown = `&{${paramKind.apiVersion} ${paramKind.kind}}`;
  const groupVersion = parseGroupVersion(paramKind.apiVersion);
  if (groupVersion === undefined) return { where: everything, problem: `parse paramKind ${shown}` };
  const where = { apiGroup: groupVersion.group, apiVersion: groupVersion.version };
  const resource = resourceOf({ ...groupVersion, kind: paramKind.kind });
  if (resource === undefined) return { where: { ...where, resource: "*" }, problem: `resolve paramKind ${shown}` };
  return { where: { ...where, resource }, problem: undefined };
}

function ask(user: UserInfo, verb: string): AuthorizationAttributes {
  return { ...NOTHING_ASKED, user, verb, resourceRequest: true };
}

/** As Go's `%v` prints the user: `&{alice u1 [devs] map[]}`. */
function formatUser({ name, uid, groups, extra }: UserInfo): string {
  const extras = [...extra].sort(([left], [right]) => (left < right ? -1 : 1));
  const shown = extras.map(([key, values]) => `${key}:[${values.join(" ")}]`);
  return `&{${name} ${uid} [${groups.join(" ")}] map[${shown.join(" ")}]}`;
}
