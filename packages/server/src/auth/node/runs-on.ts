/** On which node a service account runs, which its token says. */
import { splitServiceAccount, type User } from "@portcullis/engine/internal/rbac/user";

const NODE_NAME = "authentication.kubernetes.io/node-name";

/** Whether the user is a service account with a token of a pod on this node. */
export function runsOn(user: User, node: string): boolean {
  const names = user.extra.get(NODE_NAME) ?? [];
  return splitServiceAccount(user.name) !== undefined && names.length === 1 && names[0] === node;
}
