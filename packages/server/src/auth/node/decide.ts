/** What a node may do. Follows node_authorizer.go of kubernetes plugin/pkg/auth/authorizer/node. */

import { bootstrapPolicy } from "@portcullis/engine/internal/rbac/bootstrap";
import { type PolicyRule, readRole } from "@portcullis/engine/internal/rbac/objects";
import { ruleAllows } from "@portcullis/engine/internal/rbac/rules";
import { ALLOWED, type Attributes, type Decision, NO_OPINION } from "@portcullis/engine/internal/review/authorizer";
import { parseFieldSelector, requiredValue } from "@portcullis/engine/internal/selector/fields";
import { isEnabled } from "@portcullis/engine/internal/value/gates";
import { metaText } from "@portcullis/engine/internal/value/metadata";
import * as messages from "./messages.ts";
import type { NodeRelations, RelatedResource } from "./relations.ts";

interface Question {
  readonly node: string;
  readonly asked: Attributes;
  readonly relations: NodeRelations;
}

export interface NodeRights {
  readonly relations: NodeRelations;
  /** Of the role `system:node`, for resources that are not divided. */
  readonly rules: readonly PolicyRule[];
}

const OWN_OBJECT_VERBS = ["get", "create", "update", "patch", "delete"];
const NODE_LEASES = "kube-node-lease";

/** By group and resource. Resources that are not here are decided by the role of nodes. */
const DECISIONS: Readonly<Record<string, (question: Question) => Decision | undefined>> = {
  "/secrets": (question) => decideRead("secrets", question),
  "/configmaps": (question) => decideRead("configmaps", question),
  "/persistentvolumeclaims": decideClaim,
  "/persistentvolumes": (question) => decideGet("persistentvolumes", question),
  "resource.k8s.io/resourceclaims": (question) => decideGet("resourceclaims", question),
  "storage.k8s.io/volumeattachments": (question) => decideGet("volumeattachments", question),
  "/serviceaccounts": decideServiceAccount,
  "coordination.k8s.io/leases": decideLease,
  "storage.k8s.io/csinodes": decideCsiNode,
  "resource.k8s.io/resourceslices": decideSlice,
  "/nodes": (question) => (selects() ? decideNode(question) : undefined),
  "/pods": (question) => (selects() ? decidePod(question) : undefined),
  "certificates.k8s.io/podcertificaterequests": (question) =>
    selects() && isEnabled("PodCertificateRequest") ? decideCertificateRequest(question) : NO_OPINION,
};

/** Gates and versions are those of the server whose rules apply. */
export function decideForNode(node: string, asked: Attributes, { relations, rules }: NodeRights): Decision {
  const decide = asked.isResource ? DECISIONS[`${asked.group}/${asked.resource}`] : undefined;
  return decide?.({ node, asked, relations }) ?? decideByRules(asked, rules);
}

function selects(): boolean {
  return isEnabled("AuthorizeNodeWithSelectors");
}

function decideByRules(asked: Attributes, rules: readonly PolicyRule[]): Decision {
  const { isResource, group, version } = asked;
  const question = {
    ...asked,
    resourceRequest: isResource,
    apiGroup: group,
    apiVersion: version,
    fieldSelector: "",
    labelSelector: "",
  };
  return rules.some((rule) => ruleAllows(rule, question)) ? ALLOWED : NO_OPINION;
}

/** As the server whose rules apply has them, whatever became of the stored role. */
export function nodeRules(): readonly PolicyRule[] {
  const role = bootstrapPolicy().clusterroles.find((each) => metaText(each, "name") === "system:node");
  return role === undefined ? [] : readRole(role).rules;
}

function decideGet(resource: RelatedResource, question: Question): Decision {
  const { verb, subresource } = question.asked;
  if (verb !== "get") return refuse(messages.onlyGet());
  if (subresource !== "") return refuse(messages.noSubresource("get"));
  return decideRelated(resource, question);
}

function decideRead(resource: RelatedResource, question: Question): Decision {
  const { verb, subresource, namespace } = question.asked;
  if (!isRead(verb)) return refuse(messages.onlyRead());
  if (subresource !== "") return refuse(messages.noSubresource("read"));
  if (namespace === "") return refuse(messages.onlyNamespaced());
  return decideRelated(resource, question);
}

function isRead(verb: string): boolean {
  return ["get", "list", "watch"].includes(verb);
}

function decideRelated(resource: RelatedResource, { node, asked, relations }: Question): Decision {
  const { namespace, name } = asked;
  if (name === "") return refuse(messages.noName());
  return relations.has(node, resource, namespace, name) ? ALLOWED : refuse(messages.noRelationship(node));
}

function decideClaim(question: Question): Decision {
  const { verb, subresource } = question.asked;
  if (subresource !== "status") return decideGet("persistentvolumeclaims", question);
  if (verb !== "update" && verb !== "patch") return refuse(messages.onlyStatusVerbs());
  return decideRelated("persistentvolumeclaims", question);
}

function decideServiceAccount(question: Question): Decision {
  const { verb, subresource, name } = question.asked;
  if (verb === "get" && subresource === "") {
    const mayRead = isEnabled("KubeletServiceAccountTokenForCredentialProviders") || isEnabled("PodCertificateRequest");
    return mayRead ? decideRead("serviceaccounts", question) : refuse(messages.noAccounts());
  }
  if (verb !== "create" || name === "") return refuse(messages.onlyTokens());
  if (subresource !== "token") return refuse(messages.onlyTokenSubresource());
  return decideRelated("serviceaccounts", question);
}

/** On create the name is not known here: NodeRestriction checks it. */
function decideLease({ node, asked: { verb, namespace, name } }: Question): Decision {
  if (!OWN_OBJECT_VERBS.includes(verb)) return refuse(messages.ownObjectVerbs("node lease"));
  if (namespace !== NODE_LEASES) return refuse(messages.onlyLeasesIn(NODE_LEASES));
  return verb === "create" || name === node ? ALLOWED : refuse(messages.onlyOwn("node lease"));
}

function decideCsiNode({ node, asked: { verb, subresource, name } }: Question): Decision {
  if (!OWN_OBJECT_VERBS.includes(verb)) return refuse(messages.ownObjectVerbs("CSINode"));
  if (subresource !== "") return refuse(messages.noSubresources("CSINode"));
  return verb === "create" || name === node ? ALLOWED : refuse(messages.onlyOwn("CSINode"));
}

function decideSlice(question: Question): Decision {
  const { verb, subresource } = question.asked;
  if (subresource !== "") return refuse(messages.noSubresources("ResourceSlice"));
  if (verb === "create") return ALLOWED;
  if (["get", "update", "patch", "delete"].includes(verb)) return decideRelated("resourceslices", question);
  if (!["watch", "list", "deletecollection"].includes(verb)) return refuse(messages.sliceVerbs());
  return !selects() || selectsNode(question) ? ALLOWED : refuse(messages.onlySlicesOfNode());
}

/** Whether only objects of the node are asked for. */
function selectsNode({ node, asked: { fieldSelector = "" } }: Question): boolean {
  const { value, error } = parseFieldSelector(fieldSelector);
  return error === undefined && requiredValue(value, "spec.nodeName") === node;
}

function decideNode({ node, asked: { verb, subresource, name } }: Question): Decision {
  const isWrite = verb === "update" || verb === "patch";
  if (subresource === "status") return isWrite ? ALLOWED : NO_OPINION;
  if (subresource !== "") return NO_OPINION;
  if (isWrite || verb === "create") return ALLOWED;
  if (!isRead(verb)) return NO_OPINION;
  if (name === node) return ALLOWED;
  return refuse(name === "" ? messages.allNodes(node) : messages.otherNode(node, name));
}

function decidePod(question: Question): Decision {
  const { verb, subresource, name } = question.asked;
  if (subresource === "status") return verb === "update" || verb === "patch" ? ALLOWED : NO_OPINION;
  if (subresource === "eviction") return verb === "create" ? ALLOWED : NO_OPINION;
  if (subresource !== "") return NO_OPINION;
  if (verb === "get") return decideGet("pods", question);
  if (verb === "create" || verb === "delete") return ALLOWED;
  if (!isRead(verb)) return NO_OPINION;
  if (selectsNode(question)) return ALLOWED;
  return name === "" ? refuse(messages.onlyPodsOfNode()) : decideRelated("pods", question);
}

function decideCertificateRequest(question: Question): Decision {
  const { verb, subresource } = question.asked;
  if (subresource !== "") return refuse(messages.noCertificateStatus());
  if (verb === "create") return ALLOWED;
  if (verb === "get") return decideRelated("podcertificaterequests", question);
  if (!isRead(verb)) return refuse(messages.noCertificateVerb(verb));
  return selectsNode(question) ? ALLOWED : refuse(messages.onlyCertificatesOfNode());
}

function refuse(reason: string): Decision {
  return { verdict: "no-opinion", reason };
}
