/**
 * The scale of a custom resource: an autoscaling/v1 Scale made from fields of the object, and written back to one.
 *
 * Follows ScaleREST of apiextensions pkg/registry/customresource/etcd.go. While a patch is applied, a missing replica
 * count is the smallest int32, to distinguish it from zero.
 */

import type { ReplicasPaths } from "../../apply/scale.ts";
import { decodeTypedBody, withLiteral } from "../../builtin/strict.ts";
import type { ScaleSubresource as ScalePaths } from "../../crd/definition.ts";
import { decodeGo } from "../../field/go-decode.ts";
import { field, goInt32, goString, goStruct } from "../../field/go-shape.ts";
import { objectMeta } from "../../schema/meta-shape.ts";
import { badRequest, bareError, internalError } from "../../status/error.ts";
import { isInteger, isObject, type JsonObject, type JsonValue, newObject } from "../../value/json.ts";
import { metaOf, metaText, objectOf, withMeta } from "../../value/metadata.ts";
import { withMember } from "../../value/rewrite.ts";
import { nested } from "../custom-resource/scale.ts";
import type { Body, DecodeOptions, Draft, Strategy, Subresource } from "../kind.ts";
import * as messages from "../messages.ts";
import { readTypeMeta } from "../type-meta.ts";
import type { DecodedKind } from "./built-in-strategy.ts";
import { withParentFields, withScaleFields } from "./scale-owners.ts";

const NOT_SET = -2147483648;

export interface ScaleOwnership {
  /** Where each version of the kind keeps its replicas. */
  readonly paths: ReplicasPaths;
  /** The version of the endpoint. */
  readonly apiVersion: string;
}

export function scaleSubresource(paths: ScalePaths, strategy: Strategy, ownership: ScaleOwnership): Subresource {
  return {
    name: "scale",
    kind: { group: "autoscaling", version: "v1", kind: "Scale" },
    verbs: ["get", "patch", "update"],
    view: (parent, purpose) => {
      const scale = scaleOf(parent, paths, purpose);
      return purpose === "patch" ? withScaleFields(scale, parent, ownership.paths) : scale;
    },
    decode: decodeScale,
    toParent: (draft, parent) =>
      withParentFields(withScale(parent, draft, paths), { scale: draft, before: parent, ...ownership }),
    update: (draft, parent, context) => strategy.update(draft, parent, context),
  };
}

function scaleOf(parent: JsonObject, paths: ScalePaths, purpose: "read" | "patch" | "result"): JsonObject {
  const replicas = replicasAt(parent, paths.specReplicasPath);
  if (replicas === undefined && purpose === "read") {
    throw internalError(messages.noReplicas(paths.specReplicasPath));
  }
  const shown = replicas ?? (purpose === "patch" ? NOT_SET : 0);
  const selector = paths.labelSelectorPath === undefined ? "" : textAt(parent, paths.labelSelectorPath);
  const meta = metaOf(parent);
  return objectOf({
    kind: "Scale",
    apiVersion: "autoscaling/v1",
    metadata: objectOf({
      name: meta["name"],
      namespace: meta["namespace"],
      uid: meta["uid"],
      resourceVersion: meta["resourceVersion"],
      creationTimestamp: meta["creationTimestamp"],
    }),
    spec: objectOf({ replicas: shown === 0 ? undefined : shown }),
    status: objectOf({
      replicas: replicasAt(parent, paths.statusReplicasPath) ?? 0,
      selector: selector === "" ? undefined : selector,
    }),
  });
}

function replicasAt(object: JsonObject, path: string): number | undefined {
  const { value, error } = nested(object, path, "int64", isInteger);
  if (error !== undefined) throw bareError(error);
  return isInteger(value) ? Number(BigInt.asIntN(32, BigInt(value))) : undefined;
}

function textAt(object: JsonObject, path: string): string {
  const { value, error } = nested(object, path, "string", (each) => typeof each === "string");
  if (error !== undefined) throw bareError(error);
  return typeof value === "string" ? value : "";
}

export const scaleShape = goStruct("v1.Scale", () => ({
  kind: field(goString),
  apiVersion: field(goString),
  metadata: field(objectMeta),
  spec: field(goStruct("v1.ScaleSpec", () => ({ replicas: field(goInt32) }))),
  status: field(goStruct("v1.ScaleStatus", () => ({ replicas: field(goInt32), selector: field(goString) }))),
}));

/** What does not say what it is, is a Scale, and so is the result of a patch that took its kind or version away. */
function decodeScale(body: Body, { trackUnknown }: DecodeOptions): Draft {
  const refused = { bodyError: messages.noScaleKind() };
  const meta = readTypeMeta(body);
  if (meta.error !== undefined) return { error: meta.error, ...refused };
  const [kind, apiVersion] = [meta.kind || "Scale", meta.apiVersion || "autoscaling/v1"];
  const isScale = kind === "Scale" && apiVersion === "autoscaling/v1" && isObject(body.value);
  if (!isScale) return { error: messages.unknownKind(kind, apiVersion, messages.SCALE_SCHEME), ...refused };
  const { decoded, findings } = decodeTypedBody(body, scaleShape, decodeScaleFields);
  if (decoded.error !== undefined) return { error: withLiteral(decoded.error, body.text()), ...refused };
  decoded.value["kind"] = kind;
  decoded.value["apiVersion"] = apiVersion;
  return { object: decoded.value, findings: trackUnknown ? findings : [], ...refused };
}

export function decodeScaleFields(json: JsonObject, options?: Parameters<typeof decodeGo>[2]): DecodedKind {
  const { value, unknown, error } = decodeGo(json, scaleShape, options);
  return { value: isObject(value) ? value : newObject(), unknown, error };
}

function withScale(parent: JsonObject, scale: JsonObject, paths: ScalePaths): JsonObject {
  const spec = isObject(scale["spec"]) ? scale["spec"] : newObject();
  const replicas = isInteger(spec["replicas"]) ? spec["replicas"] : 0;
  if (replicas === NOT_SET) throw badRequest(messages.emptyReplicas(paths.specReplicasPath));
  const fields = paths.specReplicasPath.replace(/^\./, "").split(".");
  const changed = setNested(parent, fields, replicas);
  const version = metaText(scale, "resourceVersion");
  return version === "" ? changed : withMeta(changed, { resourceVersion: version });
}

function setNested(object: JsonObject, [first, ...rest]: readonly string[], value: JsonValue): JsonObject {
  if (first === undefined) return object;
  const inner = object[first];
  if (rest.length === 0) return withMember(object, first, value);
  return withMember(object, first, setNested(isObject(inner) ? inner : newObject(), rest, value));
}
