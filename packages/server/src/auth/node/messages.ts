/** Why a node may not do something: the texts of kubernetes plugin/pkg/auth/authorizer/node. */

export const unknownNode = (user: string): string => `unknown node for user ${JSON.stringify(user)}`;
export const onlyGet = (): string => "can only get individual resources of this type";
export const onlyRead = (): string => "can only read resources of this type";
export const onlyNamespaced = (): string => "can only read namespaced object of this type";
export const noSubresource = (verb: "get" | "read"): string => `cannot ${verb} subresource`;
export const noName = (): string => "No Object name found";
export const noRelationship = (node: string): string => `no relationship found between node '${node}' and this object`;
export const onlyStatusVerbs = (): string => "can only get/update/patch this type";
export const noAccounts = (): string => "not allowed to get service accounts";
export const onlyTokens = (): string => "can only create tokens for individual service accounts";
export const onlyTokenSubresource = (): string => "can only create token subresource of serviceaccount";
export const ownObjectVerbs = (kind: string): string => `can only get, create, update, patch, or delete a ${kind}`;
export const onlyLeasesIn = (namespace: string): string =>
  `can only access leases in the ${JSON.stringify(namespace)} system namespace`;
export const onlyOwn = (kind: string): string => `can only access ${kind} with the same name as the requesting node`;
export const noSubresources = (kind: string): string => `cannot authorize ${kind} subresources`;
export const sliceVerbs = (): string =>
  "only the following verbs are allowed for a ResourceSlice: get, watch, list, create, update, patch, delete, deletecollection";
export const onlySlicesOfNode = (): string =>
  "can only list/watch/deletecollection resourceslices with nodeName field selector";
export const allNodes = (node: string): string => `node '${node}' cannot read all nodes, only its own Node object`;
export const otherNode = (node: string, other: string): string =>
  `node '${node}' cannot read '${other}', only its own Node object`;
export const onlyPodsOfNode = (): string => "can only list/watch pods with spec.nodeName field selector";
export const noCertificateStatus = (): string =>
  "nodes may not access the status subresource of PodCertificateRequests";
export const noCertificateVerb = (verb: string): string => `nodes may not ${verb} podcertificaterequests`;
export const onlyCertificatesOfNode = (): string =>
  "can only list/watch podcertificaterequests with nodeName field selector";
export const noRulesOfNodes = (): string => "node authorizer does not support user rule resolution";
