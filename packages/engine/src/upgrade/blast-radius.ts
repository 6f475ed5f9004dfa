/**
 * Which writes to an object are blocked once the new CRD refuses it: each kind of write is tried, and the server's own
 * ratcheting decides.
 */
import type { FieldError } from "../field/error.ts";
import { formatFieldError } from "../field/format.ts";
import type { CustomResource } from "../review/custom-resource/custom-resource.ts";
import { memberSchema, type Structural } from "../schema/structural.ts";
import { deepEqual } from "../value/equal.ts";
import { hasKey, isArray, isObject, type JsonObject, type JsonValue, newObject } from "../value/json.ts";
import { assortedTexts } from "./contain/formats.ts";
import { type DataStep, setAt, valueAt } from "./place.ts";
import { schemaAt } from "./witness/repair.ts";
import { isAccepted, type Outcome, Replay, type WriteThrough } from "./witness/replay.ts";
import { changedValues } from "./witness/rule-search.ts";
import type { Sampler } from "./witness/sample.ts";

export type WriteKind = "create" | "field" | "sibling" | "elsewhere" | "append" | "status" | "label" | "finalizer";

export interface WriteRow {
  readonly write: WriteKind;
  /** `none` if the object has no place for such a write. */
  readonly outcome: "allowed" | "refused" | "none";
  readonly errors: readonly string[];
}

/** From the mildest to the worst. */
const SEVERITIES = [
  "create-only",
  "blocks-touching-edit",
  "blocks-any-edit",
  "blocks-status",
  "blocks-deletion",
] as const;
export type Severity = (typeof SEVERITIES)[number];

export interface BlastRadius {
  readonly writes: readonly WriteRow[];
  readonly severity: Severity | undefined;
}

export interface BlastSubject {
  /** As stored; the new CRD validates it. */
  readonly object: JsonObject;
  /** Where the object is refused; [] is the object itself. */
  readonly path: readonly DataStep[];
  /** A missing field that causes the error. Setting it would fix the object, so no edit shown here does. */
  readonly missing?: string | undefined;
}

/** Share one sampler between all findings about a resource: it caches its results. */
export function blastRadius(subject: BlastSubject, resource: CustomResource, sampler: Sampler): BlastRadius {
  const writes = new Writes(subject, resource, sampler).run();
  return { writes, severity: severityOf(writes) };
}

function severityOf(writes: readonly WriteRow[]): Severity | undefined {
  const isRefused = (...kinds: WriteKind[]): boolean =>
    writes.some(({ write, outcome }) => outcome === "refused" && kinds.includes(write));
  if (isRefused("label", "finalizer")) return "blocks-deletion";
  if (isRefused("status")) return "blocks-status";
  if (isRefused("elsewhere")) return "blocks-any-edit";
  if (isRefused("field", "sibling", "append")) return "blocks-touching-edit";
  return isRefused("create") ? "create-only" : undefined;
}

class Writes {
  readonly #object: JsonObject;
  readonly #path: readonly DataStep[];
  readonly #resource: CustomResource;
  readonly #sampler: Sampler;
  readonly #replay: Replay;
  readonly #schema: Structural | undefined;

  readonly #missing: string | undefined;
  /** What is wrong with the object as it is stored. */
  readonly #faults: ReadonlySet<string>;

  constructor({ object, path, missing }: BlastSubject, resource: CustomResource, sampler: Sampler) {
    this.#object = withFinalizer(object);
    this.#path = path;
    this.#missing = missing;
    this.#resource = resource;
    this.#sampler = sampler;
    this.#replay = new Replay(resource, resource);
    this.#schema = resource.schema;
    this.#faults = new Set(this.#replay.rest(this.#object, resource).errors.map(faultOf));
  }

  run(): WriteRow[] {
    const isStatus = this.#path[0] === "status" && this.#resource.hasStatus;
    return [
      row("create", isStatus ? undefined : this.#replay.create(this.#object, this.#resource)),
      this.#first("field", this.#fieldEdits(), isStatus ? "status" : "resource"),
      this.#first("sibling", this.#siblings(), isStatus ? "status" : "resource"),
      this.#first("elsewhere", isStatus ? [] : this.#elsewhere(), "resource"),
      this.#first("append", this.#appended(), isStatus ? "status" : "resource"),
      this.#resource.hasStatus ? this.#status(isStatus) : row("status", undefined),
      this.#update("label", withLabel(this.#object)),
      this.#update("finalizer", withoutFinalizers(this.#object)),
    ];
  }

  #update(write: WriteKind, edited: JsonObject, through: WriteThrough = "resource"): WriteRow {
    return row(write, this.#replay.update(edited, this.#object, this.#resource, through));
  }

  /** The mildest outcome of a few edits: one that passes shows that such writes are possible. */
  #first(write: WriteKind, edits: Iterable<JsonValue>, through: WriteThrough): WriteRow {
    let refused: WriteRow | undefined;
    let tried = 0;
    for (const edited of edits) {
      if (!isObject(edited) || deepEqual(edited, this.#object) || tried++ >= 8) continue;
      const outcome = this.#replay.update(edited, this.#object, this.#resource, through);
      const made = row(write, outcome);
      if (made.outcome === "allowed") return made;
      if (this.#isSameFault(outcome)) refused ??= made;
    }
    return refused ?? row(write, undefined);
  }

  /** Whether the write is refused for what is wrong with the object, and not for what the edit adds. */
  #isSameFault({ errors, problem }: Outcome): boolean {
    return problem !== undefined || this.#faults.size === 0 || errors.some((error) => this.#faults.has(faultOf(error)));
  }

  /** Other values that are refused in the same way as the current one. */
  *#fieldEdits(): Generator<JsonValue> {
    const schema = this.#schema && schemaAt(this.#schema, this.#path);
    if (schema === undefined || this.#path.length === 0) return;
    const value = valueAt(this.#object, this.#path);
    const others = [...variations(value), ...changedValues(value, schema, this.#sampler)];
    for (const other of others) {
      if (other === undefined) continue;
      const edited = setAt(this.#object, this.#path, other);
      const isRefused = !this.#sampler.check.accepts(schema, other) || this.#isRefusedAlike(edited);
      if (isRefused) yield edited;
    }
  }

  /** Whether a rule refuses the edited object for the same reason. */
  #isRefusedAlike(edited: JsonValue): boolean {
    if (!isObject(edited)) return false;
    const { errors } = this.#replay.rest(edited, this.#resource);
    return errors.length > 0 && errors.every((error) => error.origin === "rule" && this.#faults.has(faultOf(error)));
  }

  /** Edits next to the field, in the object that holds it. */
  *#siblings(): Generator<JsonValue> {
    const value = valueAt(this.#object, this.#path);
    const holder = isObject(value) ? this.#path : this.#path.slice(0, -1);
    if (holder.length > 0) yield* this.#editsIn(holder, isObject(value) ? undefined : this.#path.at(-1));
  }

  /** Edits in another branch of the object. */
  *#elsewhere(): Generator<JsonValue> {
    for (let length = Math.min(this.#path.length - 1, 1); length >= 0; length--) {
      yield* this.#editsIn(this.#path.slice(0, length), this.#path[length]);
    }
  }

  *#editsIn(holder: readonly DataStep[], except: DataStep | undefined): Generator<JsonValue> {
    const schema = this.#schema && schemaAt(this.#schema, holder);
    const object = valueAt(this.#object, holder);
    if (schema === undefined || !isObject(object)) return;
    const names = [...schema.properties.keys(), ...this.#sampler.freshKeys([schema], 1)];
    for (const name of names) {
      if (name === except || this.#isMissing(holder, name) || (holder.length === 0 && RESERVED.includes(name)))
        continue;
      const inner = memberSchema(schema, name);
      const current = hasKey(object, name) ? object[name] : undefined;
      const samples: readonly JsonValue[] = inner === undefined ? [] : this.#sampler.samples(inner, 2);
      // Rules may refuse the smallest string.
      const values = inner === undefined || inner.type === "string" ? [...samples, "a"] : samples;
      for (const other of values.filter((each) => current === undefined || !deepEqual(each, current)))
        yield setAt(this.#object, [...holder, name], other);
    }
  }

  #isMissing(holder: readonly DataStep[], name: string): boolean {
    return name === this.#missing && holder.length === this.#path.length;
  }

  /** One more item in the nearest list that contains the field. */
  *#appended(): Generator<JsonValue> {
    const at = this.#path.findLastIndex((step) => typeof step === "number");
    const list = at < 0 ? this.#path : this.#path.slice(0, at);
    const items = valueAt(this.#object, list);
    const schema = this.#schema && schemaAt(this.#schema, list)?.items;
    if (!isArray(items) || schema === undefined) return;
    for (const item of this.#sampler.samples(schema, 4)) {
      if (!items.some((each) => deepEqual(each, item))) yield setAt(this.#object, list, [...items, item]);
    }
  }

  /** A controller that reports: any change of the status. */
  #status(isStatus: boolean): WriteRow {
    const schema = this.#schema?.properties.get("status");
    if (schema === undefined) return row("status", undefined);
    const current = this.#object["status"];
    const edits = isStatus
      ? [...this.#elsewhereInStatus()]
      : this.#sampler
          .samples(schema, 4)
          .filter((each) => current === undefined || !deepEqual(each, current))
          .map((each) => setAt(this.#object, ["status"], each));
    return this.#first("status", edits, "status");
  }

  *#elsewhereInStatus(): Generator<JsonValue> {
    yield* this.#editsIn(["status"], this.#path[1]);
  }
}

const RESERVED: readonly string[] = ["apiVersion", "kind", "metadata", "status"];

/** The place and the keyword of an error; the value at the place may differ. */
function faultOf({ path, origin }: FieldError): string {
  return `${path.toString()} ${origin}`;
}

function row(write: WriteKind, outcome: Outcome | undefined): WriteRow {
  if (outcome === undefined) return { write, outcome: "none", errors: [] };
  const errors = outcome.problem === undefined ? outcome.errors.map(formatFieldError) : [outcome.problem];
  return { write, outcome: isAccepted(outcome) ? "allowed" : "refused", errors };
}

function variations(value: JsonValue | undefined): JsonValue[] {
  if (typeof value === "string") return [`${value}a`, `a${value}`, `${value}${value}`, ...assortedTexts()];
  if (typeof value === "number" && Number.isInteger(value)) return [value + 1, value - 1, value * 2];
  return isArray(value) && value.length > 0 ? [[...value, value[0] as JsonValue]] : [];
}

const FINALIZER = "example.com/hold";

function withFinalizer(object: JsonObject): JsonObject {
  return setMeta(object, "finalizers", [FINALIZER]);
}

function withoutFinalizers(object: JsonObject): JsonObject {
  return setMeta(object, "finalizers", undefined);
}

function withLabel(object: JsonObject): JsonObject {
  return setMeta(object, "labels", Object.assign(newObject(), { touched: "true" }));
}

function setMeta(object: JsonObject, key: string, value: JsonValue | undefined): JsonObject {
  const edited = setAt(object, ["metadata", key], value);
  return isObject(edited) ? edited : object;
}
