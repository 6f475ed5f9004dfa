/** The fields of a kind, for hints. Apart from field-names.ts, because it loads the built-in kinds. */
import { builtinResource } from "@portcullis/engine/internal/builtin/builtin";
import { definitionShape } from "@portcullis/engine/internal/crd/shape";
import type { ResourceKind } from "@portcullis/engine/internal/review/kind";
import {
  asServer,
  asVersion,
  KUBERNETES_VERSIONS,
  type KubernetesVersion,
  SERVER_VERSION,
} from "@portcullis/engine/internal/value/server-version";
import { type KindNames, type NamesAt, namesInSchema, namesInShape } from "./field-names.ts";

/** The fields of a kind; undefined if its schema is not known. */
export function kindNames(kind: ResourceKind): KindNames | undefined {
  if (kind.customSchema !== undefined) {
    const { schema } = kind.customSchema;
    return schema && { namesAt: namesInSchema(schema) };
  }
  if (kind.group === "apiextensions.k8s.io") return { namesAt: namesInShape(definitionShape) };
  const namesAt = asServer(kind.rules ?? { version: SERVER_VERSION }, () => builtinNames(kind));
  return namesAt && { namesAt, versionsWith: (steps, name) => versionsText(kind, steps, name) };
}

/** In the version whose rules apply. */
function builtinNames({ group, version, plural }: ResourceKind): NamesAt | undefined {
  const shape = builtinResource(group, version, plural)?.shape;
  return shape && namesInShape(shape);
}

function versionsText(kind: ResourceKind, ...[steps, name]: [...Parameters<NamesAt>, string]): string | undefined {
  const having = KUBERNETES_VERSIONS.filter((version) =>
    asVersion(version, () => builtinNames(kind)?.(steps).includes(name)),
  );
  const [first, last] = [having[0], having.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  return last === SERVER_VERSION ? `since Kubernetes ${first}` : `only ${rangeText(first, last)}`;
}

function rangeText(first: KubernetesVersion, last: KubernetesVersion): string {
  if (first === KUBERNETES_VERSIONS[0]) return `up to Kubernetes ${last}`;
  return first === last ? `in Kubernetes ${first}` : `in Kubernetes ${first} to ${last}`;
}
