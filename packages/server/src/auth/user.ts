/** Who makes a request. */

export interface User {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[];
  readonly extra: ReadonlyMap<string, readonly string[]>;
}

export const MASTERS = "system:masters";
export const AUTHENTICATED = "system:authenticated";
export const UNAUTHENTICATED = "system:unauthenticated";

export const ANONYMOUS: User = {
  name: "system:anonymous",
  uid: "",
  groups: [UNAUTHENTICATED],
  extra: new Map(),
};
