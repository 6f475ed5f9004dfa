/** What a document says of one resource: enough to list its paths and operations. */
import type { Structural } from "../schema/structural.ts";

export interface PublishedResource {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly listKind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  /** Media types of PATCH, in the order they are offered. */
  readonly patchTypes: readonly string[];
  /** Whether DELETE answers with the object. */
  readonly returnsDeletedObject: boolean;
  readonly subresources: readonly PublishedSubresource[];
  /** Set for custom resources, whose schema is not known beforehand. */
  readonly custom: CustomSchema | undefined;
}

export interface PublishedSubresource {
  readonly name: string;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly verbs: readonly string[];
}

export interface CustomSchema {
  /** Changes with every CRD and every change of it; documents are compared by it without being built. */
  readonly revision: string;
  /** Undefined if the definition has none. */
  readonly schema: Structural | undefined;
  readonly preserveUnknownFields: boolean;
  /** Simple JSON paths, with their leading dot. */
  readonly selectableFields: readonly string[];
  /** Whether `x-kubernetes-property-names` is published. */
  readonly propertyNames: boolean;
}

/** Version 2 and version 3 of OpenAPI differ in where schemas stand and in what they can say. */
export type OpenApiVersion = 2 | 3;
