/** Who owns which fields. */
import type { FieldSet } from "../../fieldset/set.ts";
import type { ResourceTypes } from "../types/typed.ts";

/** What one manager owns, in the version it wrote. */
export interface OwnedSet {
  readonly set: FieldSet;
  readonly apiVersion: string;
  readonly applied: boolean;
}

/** By the manager's identifier. */
export type Owners = ReadonlyMap<string, OwnedSet>;

export interface UpdaterScope {
  readonly types: ResourceTypes;
  /** The version of the request. */
  readonly apiVersion: string;
  /** By version: fields that the endpoint does not write and therefore never owns. */
  readonly resetFields: ReadonlyMap<string, FieldSet>;
}
