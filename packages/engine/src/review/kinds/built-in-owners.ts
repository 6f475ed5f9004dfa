/**
 * Who owns fields of built-in kinds: the merge types of their Go types, and what each endpoint leaves to others.
 *
 * Follows GetResetFields of the strategies in kubernetes pkg/registry.
 */

import type { Completed, FieldManagerScope } from "../../apply/scope.ts";
import { builtinTypes } from "../../builtin/apply-types.ts";
import { type Kind, normalize } from "../../builtin/decode.ts";
import type { ResourceInfo } from "../../builtin/resources.ts";
import { SCALE_KIND } from "../../builtin/scale.ts";
import { structOfKind } from "../../builtin/types.ts";
import { fromUnstructured } from "../../builtin/unstructured.ts";
import { decodeJson } from "../../codec/json.ts";
import { makePath } from "../../fieldset/path.ts";
import { type FieldSet, setOf } from "../../fieldset/set.ts";
import { isObject, type JsonObject } from "../../value/json.ts";
import { objectOf } from "../../value/metadata.ts";
import { apiVersionOf } from "../kind.ts";
import * as messages from "../messages.ts";

/** The parts of a kind that ownership needs. */
export interface OwnedKind extends Pick<ResourceInfo, "group" | "version" | "kind" | "subresources"> {
  decodeFields(json: JsonObject): { readonly value: JsonObject };
}

/** Undefined for subresources whose fields nobody owns. */
export function builtinFieldScope(resource: OwnedKind, subresource: string): FieldManagerScope | undefined {
  if (subresource === "scale") return scaleScope;
  const reset = resetFields(resource, subresource);
  return scopeFor(resource, subresource, reset, (object) => completeTyped(object, resource));
}

const scaleScope = scopeFor(SCALE_KIND, "scale", setOf(), (object) => ({ object }));

/** Merging gives a map; upstream's converter makes it an object of the Go type, and has words of its own. */
function completeTyped(object: JsonObject, resource: OwnedKind): Completed {
  const type = structOfKind(resource.group, resource.version, resource.kind);
  if (type === undefined) throw new Error(`no built-in kind ${resource.kind}`);
  const converted = fromUnstructured(object, type);
  if (converted.error !== undefined) {
    return { error: messages.notUnstructured(apiVersionOf(resource), resource.kind, converted.error) };
  }
  return { object: resource.decodeFields(converted.object).value };
}

function scopeFor(
  kind: Kind,
  subresource: string,
  reset: FieldSet,
  complete: FieldManagerScope["complete"],
): FieldManagerScope {
  const apiVersion = apiVersionOf(kind);
  return {
    apiVersion,
    kind: kind.kind,
    subresource,
    types: builtinTypes,
    resetFields: new Map([[apiVersion, reset]]),
    emptyObject: normalize(objectOf({ kind: kind.kind, apiVersion }), kind),
    complete,
    parseJson,
  };
}

/** The status endpoints of these kinds write no metadata, or only some of it; the others write all of it. */
const KEPT_BY_STATUS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  "/Pod": [
    ["metadata", "deletionTimestamp"],
    ["metadata", "ownerReferences"],
  ],
  "apps/Deployment": [["metadata", "labels"]],
  "networking.k8s.io/ServiceCIDR": [["metadata"]],
  "resource.k8s.io/ResourceClaim": [["metadata"]],
  "storage.k8s.io/VolumeAttachment": [["metadata"]],
  "admissionregistration.k8s.io/ValidatingAdmissionPolicy": [["metadata"]],
  "apiextensions.k8s.io/CustomResourceDefinition": [["metadata"]],
  "apiregistration.k8s.io/APIService": [["metadata"]],
  "flowcontrol.apiserver.k8s.io/FlowSchema": [["metadata"]],
  "flowcontrol.apiserver.k8s.io/PriorityLevelConfiguration": [["metadata"]],
};

/** Kinds whose doors share their parts in another way. */
const RESET: Readonly<Record<string, Readonly<Record<string, FieldSet>>>> = {
  "certificates.k8s.io/CertificateSigningRequest": {
    "": setOf(makePath("spec"), makePath("status")),
    status: setOf(makePath("spec"), makePath("status", "conditions")),
    approval: setOf(makePath("spec"), makePath("status", "certificate")),
  },
};

function resetFields({ group, kind, subresources }: OwnedKind, subresource: string): FieldSet {
  const own = RESET[`${group}/${kind}`]?.[subresource];
  if (own !== undefined) return own;
  if (subresource === "status") {
    const metadata = KEPT_BY_STATUS[`${group}/${kind}`] ?? [];
    return setOf(makePath("spec"), ...metadata.map((path) => makePath(...path)));
  }
  const hasStatus = subresources.some(({ name }) => name === "status");
  return hasStatus ? setOf(makePath("status")) : setOf();
}

function parseJson(text: string): JsonObject | undefined {
  const decoded = decodeJson(text);
  return decoded.error === undefined && isObject(decoded.value) ? decoded.value : undefined;
}
