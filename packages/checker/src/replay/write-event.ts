/** A write of the log: its event, what it is about, and its parameters. */
import type { GroupVersionKind, GroupVersionResource, Operation } from "@portcullis/engine/internal/policy/attributes";
import type { ResourceKind } from "@portcullis/engine/internal/review/kind";
import { type JsonObject, newObject } from "@portcullis/engine/internal/value/json";
import { textsOf } from "@portcullis/engine/internal/value/read";
import type { ObjectKey } from "./known-objects.ts";
import type { AuditEvent, ObjectReference } from "./log/audit-event.ts";
import { type Recorded, recordedOf } from "./recorded.ts";
import type { ReplayCluster } from "./replay-cluster.ts";

/** What a URL addresses; one for all events that are about it. */
export interface Target {
  readonly resource: GroupVersionResource;
  readonly subresource: string;
  /** Undefined if the definition of the kind is not known. */
  readonly type: ResourceKind | undefined;
  /** What is written: another kind for subresources such as scale. */
  readonly kind: GroupVersionKind | undefined;
  readonly place: string;
  readonly isConnect: boolean;
  /** Whether an answer may lack what policies saw: it is read back from a version with another schema. */
  readonly isStoredOtherwise: boolean;
}

export interface WriteEvent {
  readonly event: AuditEvent;
  readonly ref: ObjectReference;
  readonly target: Target;
  readonly recorded: Recorded;
  readonly query: URLSearchParams;
  readonly isDryRun: boolean;
  /** When the request ended. */
  readonly at: number;
  /** The object that it is about, the same before and after the kind is known. */
  readonly objectText: string;
}

const WRITE_VERBS = new Set(["create", "update", "patch", "delete", "deletecollection"]);

/** Subresources that connect: `kubectl exec` may ask with GET. */
const CONNECTIONS = new Set([
  "pods/exec",
  "pods/attach",
  "pods/portforward",
  "pods/proxy",
  "services/proxy",
  "nodes/proxy",
]);

function isConnection({ group, resource, subresource }: ObjectReference): boolean {
  return group === "" && CONNECTIONS.has(`${resource}/${subresource}`);
}

/** Whether admission is asked about a request like this. */
export function isWrite({ verb, ref }: AuditEvent): boolean {
  return ref !== undefined && (WRITE_VERBS.has(verb) || isConnection(ref));
}

/** Whether a line of which these members are left may be the last one about a write. */
export function mayEndWrite({ stage, verb }: JsonObject): boolean {
  const isBeginning = stage === "RequestReceived" || stage === "ResponseStarted";
  return !isBeginning && (typeof verb !== "string" || WRITE_VERBS.has(verb));
}

/** Whether a read shows what is stored. */
export function isObservation({ verb, ref, stage }: AuditEvent): boolean {
  return (
    verb === "get" && stage === "ResponseComplete" && ref !== undefined && ref.subresource === "" && ref.name !== ""
  );
}

/** A read as if it were a write: undefined for one that is not about a resource. */
export function readingEvent(event: AuditEvent, targets: Targets): WriteEvent | undefined {
  return event.ref && new Write(event, event.ref, targets.find(event.ref));
}

/** Undefined if the event is not a write. */
export function writeEvent(event: AuditEvent, targets: Targets): WriteEvent | undefined {
  const { ref } = event;
  if (ref === undefined || !isWrite(event)) return undefined;
  const target = targets.find(ref);
  return new Write(event, ref, target);
}

class Write implements WriteEvent {
  readonly event: AuditEvent;
  readonly ref: ObjectReference;
  readonly target: Target;
  readonly recorded: Recorded;
  readonly isDryRun: boolean;
  readonly at: number;
  readonly objectText: string;
  #query: URLSearchParams | undefined;

  constructor(event: AuditEvent, ref: ObjectReference, target: Target) {
    this.event = event;
    this.ref = ref;
    this.target = target;
    this.recorded = recordedOf(event, target.isConnect);
    this.isDryRun = isDryRun(event);
    this.at = event.at;
    this.objectText = `${ref.group}/${ref.resource}/${ref.namespace}/${ref.name}`;
  }

  /** Read when it is needed, which is seldom. */
  get query(): URLSearchParams {
    if (this.#query === undefined) {
      const mark = this.event.uri.indexOf("?");
      this.#query = new URLSearchParams(mark < 0 ? "" : this.event.uri.slice(mark + 1));
    }
    return this.#query;
  }
}

/** A deletion, and an eviction, may say it in its body. */
function isDryRun({ verb, request, ref, uri }: AuditEvent): boolean {
  if (/[?&]dryRun=[^&]/.test(uri)) return true;
  const body = verb.startsWith("delete") || ref?.subresource === "eviction" ? request?.object() : undefined;
  const options = ref?.subresource === "eviction" ? body?.["deleteOptions"] : body;
  return (
    textsOf(typeof options === "object" && options !== null && "dryRun" in options ? options["dryRun"] : []).length > 0
  );
}

export class Targets {
  readonly #known = new Map<string, Target>();
  readonly #cluster: ReplayCluster;
  #memory: object | undefined;

  constructor(cluster: ReplayCluster) {
    this.#cluster = cluster;
  }

  find(ref: ObjectReference): Target {
    if (this.#memory !== this.#cluster.memory) this.#known.clear();
    this.#memory = this.#cluster.memory;
    const key = `${ref.group}/${ref.version}/${ref.resource}/${ref.subresource}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const made = this.#make(ref);
    this.#known.set(key, made);
    return made;
  }

  #make(ref: ObjectReference): Target {
    const { group, version, resource, subresource } = ref;
    const type = this.#cluster.kind(group, version, resource);
    const kind = subresource === "" ? type : type?.subresources.get(subresource)?.kind;
    return {
      resource: { group, version, resource },
      subresource,
      type,
      kind: kind && { group: kind.group, version: kind.version, kind: kind.kind },
      place: this.#cluster.place(group, version, resource),
      isConnect: isConnection(ref),
      isStoredOtherwise: this.#cluster.isStoredOtherwise(group, version, resource),
    };
  }
}

/** Whether a write stored an object that its answer does not show. */
export function isStoredUnseen({ event, recorded, ref, isDryRun, target }: WriteEvent): boolean {
  if (!recorded.isAccepted || isDryRun || event.response !== undefined) return false;
  if (ref.subresource === "") return ["create", "update", "patch"].includes(event.verb);
  return target.kind?.kind === target.type?.kind && ["update", "patch"].includes(event.verb);
}

/** The object that a write is about. */
export function keyOfWrite({ target, ref }: WriteEvent, name = ref.name): ObjectKey {
  return { place: target.place, namespace: target.type?.namespaced === false ? "" : ref.namespace, name };
}

const OPTION_KINDS: Readonly<Record<Exclude<Operation, "CONNECT">, string>> = {
  CREATE: "CreateOptions",
  UPDATE: "UpdateOptions",
  DELETE: "DeleteOptions",
};

/** The query counts where there is no body. */
function deletionInQuery(query: URLSearchParams): JsonObject {
  const found = newObject();
  const [seconds, policy, orphan] = ["gracePeriodSeconds", "propagationPolicy", "orphanDependents"].map((key) =>
    query.get(key),
  );
  if (seconds && Number.isSafeInteger(Number(seconds))) found["gracePeriodSeconds"] = Number(seconds);
  if (policy) found["propagationPolicy"] = policy;
  if (orphan) found["orphanDependents"] = orphan === "true" || orphan === "1";
  if (query.has("dryRun")) found["dryRun"] = query.getAll("dryRun");
  return found;
}

/** As policies see them: those of a patch are of the kind of the operation. */
export function optionsOf({ query, event, isDryRun }: WriteEvent, operation: Operation): JsonObject | undefined {
  if (operation === "CONNECT") return undefined;
  const options = newObject();
  options["kind"] = OPTION_KINDS[operation];
  options["apiVersion"] = "meta.k8s.io/v1";
  if (operation === "DELETE") {
    return Object.assign(newObject(), event.request?.object() ?? deletionInQuery(query), options);
  }
  if (isDryRun) options["dryRun"] = ["All"];
  for (const key of ["fieldManager", "fieldValidation"]) {
    const value = query.get(key);
    if (value !== null && value !== "") options[key] = value;
  }
  return options;
}
