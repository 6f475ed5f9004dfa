/**
 * Runs objects through both CRDs as the server would process them.
 *
 * A manifest is created. A stored object is the result of the old CRD, read back with the new one. A change is only
 * unsafe if an object is refused here.
 */
import type { FieldError } from "../../field/error.ts";
import { decodeResource } from "../../review/custom-resource/coerce.ts";
import type { CustomResource } from "../../review/custom-resource/custom-resource.ts";
import { prepareCreate, prepareStatusUpdate, prepareUpdate } from "../../review/custom-resource/prepare.ts";
import {
  type ValidationResult,
  validateCreate,
  validateStatusUpdate,
  validateUpdate,
} from "../../review/custom-resource/validate.ts";
import {
  Float64,
  integerValue,
  isArray,
  isObject,
  type JsonObject,
  type JsonValue,
  newObject,
} from "../../value/json.ts";
import { rewriteItems, rewriteMembers, withMember } from "../../value/rewrite.ts";

export interface Outcome {
  readonly object: JsonObject;
  readonly errors: readonly FieldError[];
  /** Set if the object does not decode. */
  readonly problem: string | undefined;
}

/** A unit of cost takes some tens of nanoseconds. */
const COST_PER_RUN = 2000;

const SYSTEM = {
  uid: () => "00000000-0000-0000-0000-000000000000",
  now: () => "1970-01-01T00:00:00Z",
  suffix: () => "xxxxx",
};

export class Replay {
  readonly old: CustomResource;
  readonly new: CustomResource;
  /** The work done so far, in runs of ordinary objects: rules near the cost limit count as hundreds of them. */
  runs = 0;

  constructor(old: CustomResource, next: CustomResource) {
    this.old = old;
    this.new = next;
  }

  /** As a stored object: with its status, and without the changes that a request makes. */
  rest(object: JsonObject, resource: CustomResource): Outcome {
    this.runs++;
    const decoded = decodeResource(asResource(object, resource), resource, { fromStorage: true });
    if (decoded.error !== undefined) return { object, errors: [], problem: decoded.error };
    const errors = this.#counted(validateCreate(decoded.object, resource));
    return { object: decoded.object, errors, problem: undefined };
  }

  /** What the old CRD stored, as it is read with the new one; undefined if the old one could not read it either. */
  reread(stored: JsonObject): Outcome | undefined {
    const read = asStored(stored);
    const isReadable = read === stored || isAccepted(this.rest(read, this.old));
    return isReadable ? this.rest(read, this.new) : undefined;
  }

  /** As a manifest that is created. */
  create(object: JsonObject, resource: CustomResource): Outcome {
    this.runs++;
    const decoded = decodeResource(asResource(object, resource), resource);
    if (decoded.error !== undefined) return { object, errors: [], problem: decoded.error };
    const draft = prepareCreate(decoded.object, resource, namespaceOf(decoded.object), SYSTEM);
    return { object: draft, errors: this.#counted(validateCreate(draft, resource)), problem: undefined };
  }

  /** As an update of a live object, through the main resource or its status. */
  update(object: JsonObject, live: JsonObject, resource: CustomResource, through: WriteThrough = "resource"): Outcome {
    this.runs++;
    const before = decodeResource(asResource(asStored(live), resource), resource, { fromStorage: true });
    const after = decodeResource(asResource(object, resource), resource);
    const problem = before.error ?? after.error;
    if (before.error !== undefined || after.error !== undefined) return { object, errors: [], problem };
    const stored = versioned(before.object);
    if (through === "status") {
      const draft = prepareStatusUpdate(versioned(after.object), stored);
      return { object: draft, errors: this.#counted(validateStatusUpdate(draft, stored, resource)), problem };
    }
    const draft = prepareUpdate(versioned(after.object), stored, resource, namespaceOf(stored));
    return { object: draft, errors: this.#counted(validateUpdate(draft, stored, resource)), problem };
  }

  #counted({ errors, ruleCost }: ValidationResult): readonly FieldError[] {
    this.runs += Math.floor(ruleCost / COST_PER_RUN);
    return errors;
  }
}

/** As it is read from storage: a float64 such as `1.0` is stored as `1`, which is an integer when it is read. */
export function asStored(object: JsonObject): JsonObject {
  return rewriteMembers(object, readNumber);
}

function readNumber(value: JsonValue): JsonValue {
  if (isArray(value)) return rewriteItems(value, readNumber);
  if (isObject(value)) return asStored(value);
  if (!(value instanceof Float64) || !Number.isInteger(value.value) || Math.abs(value.value) >= 2 ** 63) return value;
  return integerValue(BigInt(value.value));
}

export type WriteThrough = "resource" | "status";

export function isAccepted({ errors, problem }: Outcome): boolean {
  return errors.length === 0 && problem === undefined;
}

/** The body as a resource of this version: with its type, a name and a namespace. */
export function asResource(body: JsonObject, resource: CustomResource): JsonObject {
  const object = newObject();
  object["apiVersion"] = `${resource.group}/${resource.version}`;
  object["kind"] = resource.kind;
  const metadata = newObject();
  if (isObject(body["metadata"])) Object.assign(metadata, body["metadata"]);
  metadata["name"] ??= "example";
  if (resource.namespaced) metadata["namespace"] ??= "default";
  else delete metadata["namespace"];
  object["metadata"] = metadata;
  for (const key of Object.keys(body)) if (!(key in object)) object[key] = body[key] ?? null;
  return object;
}

function namespaceOf({ metadata }: JsonObject): string {
  return isObject(metadata) && typeof metadata["namespace"] === "string" ? metadata["namespace"] : "";
}

function versioned(object: JsonObject): JsonObject {
  const metadata = isObject(object["metadata"]) ? object["metadata"] : newObject();
  const withVersion = Object.assign(newObject(), metadata, { resourceVersion: "1", uid: SYSTEM.uid() });
  return withMember(object, "metadata", withVersion);
}
