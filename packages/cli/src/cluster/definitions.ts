/** Reads CRDs and objects from a cluster. */

import { objectId } from "@portcullis/checker/internal/input/documents";
import type { ManifestDocument } from "@portcullis/checker/internal/report/manifest";
import type { SourceDefinition, SourceSet } from "@portcullis/checker/internal/upgrade/sources";
import { LineIndex } from "@portcullis/engine/internal/codec/position";
import { decodeDefinition } from "@portcullis/engine/internal/crd/decode";
import { readDefinition } from "@portcullis/engine/internal/crd/definition";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import type { ClusterClient } from "./client.ts";

const COLLECTION = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/** The CRDs of the given names that the cluster has. */
export async function clusterDefinitions(client: ClusterClient, names: Iterable<string>): Promise<SourceSet> {
  const definitions = new Map<string, SourceDefinition>();
  for (const name of names) {
    const object = await client.get(`${COLLECTION}/${encodeURIComponent(name)}`);
    if (object === undefined) continue;
    definitions.set(name, { name, json: decodeDefinition(object).value, document: inCluster(object) });
  }
  return { files: 0, definitions };
}

/** All CRDs of the cluster. */
export async function allClusterDefinitions(client: ClusterClient): Promise<SourceSet> {
  const objects = await client.list(COLLECTION);
  const definitions = objects.map((object): SourceDefinition => {
    const typed = Object.assign(object, { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition" });
    const document = inCluster(typed);
    return { name: document.id.name, json: decodeDefinition(typed).value, document };
  });
  return { files: 0, definitions: new Map(definitions.map((each) => [each.name, each])) };
}

/** All objects of a CRD's kind, in a version that both the cluster and the CRD serve. */
export async function clusterObjects(client: ClusterClient, definition: SourceDefinition): Promise<ManifestDocument[]> {
  const { group, names, versions } = readDefinition(definition.json);
  for (const version of versions.filter(({ served }) => served)) {
    const items = await client.list(`/apis/${group}/${version.name}/${names.plural}`);
    if (items.length === 0) continue;
    // List items may omit version and kind.
    return items.map((item) =>
      inCluster(Object.assign(item, { apiVersion: `${group}/${version.name}`, kind: names.kind })),
    );
  }
  return [];
}

function inCluster(object: JsonObject): ManifestDocument {
  const text = "";
  return {
    file: "cluster",
    text,
    lines: new LineIndex(text),
    offset: 0,
    source: undefined,
    object,
    strictErrors: [],
    id: objectId(object),
  };
}
