/** Options for the user and the operation, shared by commands that evaluate policies. */

import { UsageError } from "@portcullis/checker/internal/input/usage-error";
import { BIND_ACTIONS, type BindAction } from "@portcullis/checker/internal/policy/unbound";
import { makeUser } from "@portcullis/checker/internal/policy/user";
import type { UserInfo } from "@portcullis/engine/internal/kubecel/library/authz";
import type { OptionSpecs } from "../../frame/option-spec.ts";
import { type Options, readChoice } from "../../frame/options.ts";

const GROUP = "the request";

export const USER_OPTIONS = {
  as: {
    type: "string",
    value: "USER",
    group: GROUP,
    text: "the user (default `user`, in the group system:authenticated)",
  },
  "as-group": { type: "string", multiple: true, value: "GROUP", group: GROUP, text: "a group of the user" },
  "as-uid": { type: "string", value: "UID", group: GROUP, text: "the user's uid" },
  "as-user-extra": {
    type: "string",
    multiple: true,
    value: "KEY=VALUE",
    group: GROUP,
    text: "extra information about the user; a key can be repeated",
  },
} as const satisfies OptionSpecs;

const OPERATIONS = ["CREATE", "UPDATE", "DELETE", "CONNECT"] as const;

export const OPERATION_OPTION = {
  operation: {
    type: "string",
    value: "OP",
    values: OPERATIONS,
    group: GROUP,
    text: "CREATE, UPDATE, DELETE or CONNECT; by default derived from the objects",
  },
} as const satisfies OptionSpecs;

export const BIND_OPTION = {
  bind: {
    type: "string",
    value: "ACTION",
    values: BIND_ACTIONS,
    group: "inputs",
    text: "evaluate policies without a binding as if they had one: Deny, Warn or Audit",
  },
} as const satisfies OptionSpecs;

export function readBind(options: Options): BindAction | undefined {
  const text = options.text("bind");
  return text === undefined ? undefined : readChoice("bind", text, BIND_ACTIONS);
}

export function readOperation(options: Options): string | undefined {
  const text = options.text("operation");
  return text === undefined ? undefined : readChoice("operation", text, OPERATIONS);
}

/** Undefined if no user option was given. */
export function readUser(options: Options): UserInfo | undefined {
  const [name, uid] = [options.text("as"), options.text("as-uid")];
  const [groups, extras] = [options.texts("as-group"), options.texts("as-user-extra")];
  if (name === undefined && uid === undefined && groups.length === 0 && extras.length === 0) return undefined;
  return makeUser(name ?? "user", groups, { uid: uid ?? "", extra: readExtras(extras) });
}

function readExtras(texts: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const extra = new Map<string, string[]>();
  for (const text of texts) {
    const at = text.indexOf("=");
    if (at < 1) throw new UsageError(`\`--as-user-extra ${text}\` is not of the form KEY=VALUE`);
    const key = text.slice(0, at);
    extra.set(key, [...(extra.get(key) ?? []), text.slice(at + 1)]);
  }
  return extra;
}
