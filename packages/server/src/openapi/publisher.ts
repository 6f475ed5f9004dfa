/**
 * The documents of all that the registry holds.
 *
 * Paths and schemas of custom resources do not depend on each other, so a document is put together from a piece for each
 * kind, and one new CRD among thousands costs one piece. Pieces are bytes: texts of this size would keep the garbage
 * collector busy.
 */
import { WireWriter } from "@portcullis/engine/internal/builtin/protobuf/writer";
import { openApiV2, openApiV3 } from "@portcullis/engine/internal/openapi/document";
import { enumOf } from "@portcullis/engine/internal/openapi/enums";
import { writeOpenApiV2Entry } from "@portcullis/engine/internal/openapi/protobuf";
import type { PublishedResource } from "@portcullis/engine/internal/openapi/resource";
import type { ResourceKind } from "@portcullis/engine/internal/review/kind";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { asVersion, type KubernetesVersion } from "@portcullis/engine/internal/value/server-version";
import { canonicalJson } from "@portcullis/engine/internal/value/text";
import { decodeUtf8, encodeUtf8 } from "@portcullis/gostd/utf8";
import type { Pause } from "../endpoints/request-time.ts";
import { Assembler, type Members } from "./assembler.ts";
import { type ExtensionDocument, type Fragment, fragmentsOf } from "./extension-documents.ts";
import { jsonOf, protobufOf } from "./join.ts";

/** Makes the documents. Called again for a group version when one of its kinds has changed. */
export interface OpenApiPublisher {
  v3(types: readonly ResourceKind[]): JsonObject;
  /** `pause` lets others run in between. */
  v3Json(types: readonly ResourceKind[], pause: Pause): Promise<Uint8Array>;
  /** With the documents of extension API servers. */
  v2Json(types: readonly ResourceKind[], pause: Pause, extensions?: readonly ExtensionDocument[]): Promise<Uint8Array>;
  /** The same document as protobuf. */
  v2Protobuf(
    types: readonly ResourceKind[],
    pause: Pause,
    extensions?: readonly ExtensionDocument[],
  ): Promise<Uint8Array>;
  /** What documents of custom resources have in common, as one of them: it shows how documents are made. */
  sample(): string;
}

/** `version` is that of Kubernetes, such as 1.36. */
export function schemaPublisher(version: KubernetesVersion): OpenApiPublisher {
  const options = { version, enumOf };
  const v2 = (types: readonly ResourceKind[]): JsonObject =>
    asVersion(version, () => openApiV2(types.map(toPublished), options));
  const v3 = (types: readonly ResourceKind[]): JsonObject =>
    asVersion(version, () => openApiV3(types.map(toPublished), options));
  const toJson = (_: string, _name: string, value: JsonObject): Uint8Array => encodeUtf8(canonicalJson(value));
  const v2Jsons = new Assembler(v2, { merged: V2_MEMBERS, encode: toJson });
  const v3Jsons = new Assembler(v3, { merged: ["paths", "components"], encode: toJson });
  const v2Messages = new Assembler(v2, { merged: V2_MEMBERS, encode: toMessage });
  return {
    v3,
    v3Json: async (types, pause) => jsonOf(await v3Jsons.document(types, pause)),
    v2Json: async (types, pause, extensions = []) => {
      const document = await v2Jsons.document(types, pause);
      v2Jsons.add(document, fragmentsFor(document, extensions));
      return jsonOf(document);
    },
    v2Protobuf: async (types, pause, extensions = []) => {
      const document = await v2Messages.document(types, pause);
      // Names of definitions are compared with those in JSON.
      const known = extensions.length === 0 ? document : await v2Jsons.document(types, pause);
      v2Messages.add(document, fragmentsFor(known, extensions));
      return protobufOf(document);
    },
    sample: () => canonicalJson(openApiV3([SAMPLE], options)),
  };
}

/** `document` has definitions in JSON. */
function fragmentsFor(document: Members, extensions: readonly ExtensionDocument[]): readonly Fragment[] {
  const definitions = document.get("definitions");
  return fragmentsOf(extensions, (name) => {
    const found = definitions instanceof Map ? definitions.get(name) : undefined;
    return found instanceof Uint8Array ? decodeUtf8(found) : undefined;
  });
}

const V2_MEMBERS = ["paths", "definitions", "parameters"] as const;

function toMessage(member: string, name: string, value: JsonObject): Uint8Array {
  const writer = new WireWriter();
  const known = V2_MEMBERS.find((each) => each === member);
  if (known !== undefined) writeOpenApiV2Entry(writer, known, name, value);
  return writer.finish().slice();
}

const SAMPLE: PublishedResource = {
  group: "example.com",
  version: "v1",
  kind: "Sample",
  listKind: "SampleList",
  plural: "samples",
  namespaced: true,
  verbs: ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"],
  patchTypes: ["application/merge-patch+json"],
  returnsDeletedObject: false,
  subresources: [],
  custom: { revision: "", schema: undefined, preserveUnknownFields: false, selectableFields: [], propertyNames: true },
};

export function toPublished(type: ResourceKind): PublishedResource {
  const { group, version, kind, listKind, plural, namespaced, verbs, patchTypes, strategy } = type;
  const subresources = [...type.subresources.values()].map((each) => ({
    name: each.name,
    ...each.kind,
    verbs: each.verbs,
  }));
  return {
    group,
    version,
    kind,
    listKind,
    plural,
    namespaced,
    verbs,
    patchTypes,
    subresources,
    // Documents promise a Status for namespaces, although it is the namespace that comes back.
    returnsDeletedObject: strategy.returnsDeletedObject && !(group === "" && plural === "namespaces"),
    custom: type.customSchema,
  };
}
