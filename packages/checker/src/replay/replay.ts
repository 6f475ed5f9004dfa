/**
 * An audit log, read once from its beginning to its end: for each write, what would have been decided. Memory is limited
 * whatever the length of the log.
 */
import type { PodSecurityConfiguration } from "@portcullis/engine/internal/podsecurity/configuration";
import type { AdmissionAttributes } from "@portcullis/engine/internal/policy/attributes";
import type { EngineOptions } from "@portcullis/engine/internal/review/custom-resource/custom-resource";
import { deepEqual } from "@portcullis/engine/internal/value/equal";
import { isObject, type JsonObject, newObject } from "@portcullis/engine/internal/value/json";
import { textOf, withMeta } from "@portcullis/engine/internal/value/metadata";
import { type Decision, type DecisionContext, decide, decideAlternative, refusalText } from "./decide.ts";
import { applyDamaged, applyEffects, applyObserved, applyUnfinished } from "./effects/effects.ts";
import type { Following } from "./following.ts";
import { type Known, presentAs } from "./known-objects.ts";
import type { KnownRequest } from "./known-request.ts";
import { type AuditEvent, eventFromHead } from "./log/audit-event.ts";
import { Reorder } from "./log/order.ts";
import { RecentIds } from "./log/recent-ids.ts";
import { inVersion } from "./old-object.ts";
import { patchTypesOf } from "./patch-types.ts";
import type { DamagedLine } from "./read-log.ts";
import { reconstruct } from "./reconstruct.ts";
import { ReplayCluster } from "./replay-cluster.ts";
import {
  isObservation,
  isStoredUnseen,
  isWrite,
  keyOfWrite,
  mayEndWrite,
  readingEvent,
  Targets,
  type WriteEvent,
  writeEvent,
} from "./write-event.ts";

export interface ReplayOptions {
  readonly engine: EngineOptions;
  readonly podSecurity: PodSecurityConfiguration;
  /** Policies, bindings and whatever they read, at the beginning of the log. */
  readonly objects: readonly JsonObject[];
  /** Definitions to be tried in place of those among the objects. */
  readonly definitions?: readonly JsonObject[];
  /** Bytes for objects of the log. */
  readonly memory?: number;
  /** How many events may wait for earlier ones. */
  readonly window?: number;
  /** Which policies change as they did in the log; all by default. */
  readonly follows?: Following;
}

/** A write of the log and what would have been decided. */
export interface Replayed {
  readonly write: WriteEvent;
  readonly decision: Decision;
}

/** What of the log waits for its turn; of other events than writes, reads and beginnings of requests. */
type Waiting = WriteEvent | AuditEvent | DamagedLine;

const DEFAULT_MEMORY = 256 * 1024 * 1024;
const DEFAULT_WINDOW = 2000;

export class Replay {
  readonly cluster: ReplayCluster;
  readonly #targets: Targets;
  readonly #waiting: Reorder<Waiting>;
  readonly #context: DecisionContext;
  /** Writes that wait, by the object they are about: one at a time for most objects. */
  readonly #upcoming = new Map<string, WriteEvent | WriteEvent[]>();
  /** Requests that have begun and not ended. */
  readonly #open = new Map<string, AuditEvent>();
  readonly #recent = new RecentIds(100_000);
  #reached = Number.NEGATIVE_INFINITY;
  /** Events that came after later ones had been decided. */
  outOfOrder = 0;

  constructor(options: ReplayOptions) {
    const { engine, objects, definitions = [], podSecurity } = options;
    const { memory = DEFAULT_MEMORY, follows = "all" } = options;
    this.cluster = new ReplayCluster([...objects, ...definitions], { engine, memory, follows });
    this.#targets = new Targets(this.cluster);
    this.#waiting = new Reorder(options.window ?? DEFAULT_WINDOW);
    const places = definitions.flatMap((definition) => this.cluster.placesOf(definition));
    this.#context = {
      cluster: this.cluster,
      version: engine.version,
      podSecurity,
      definitions: new Set(places),
      upcoming: { outcomes: (write, time) => this.#outcomes(write, time) },
    };
  }

  /** Takes the next event of the log; returns a write that is decided by now. */
  push(event: AuditEvent): Replayed | Promise<Replayed> | undefined {
    if (!isWrite(event)) return isObservation(event) ? this.#next(this.#waiting.push(event)) : undefined;
    if (event.stage === "RequestReceived") {
      if (!this.#recent.has(event.auditID)) this.#open.set(event.auditID, event);
      return this.#next(this.#waiting.push(event));
    }
    if (event.stage === "ResponseStarted" || this.#recent.has(event.auditID)) return undefined;
    this.#recent.add(event.auditID);
    this.#open.delete(event.auditID);
    const write = writeEvent(event, this.#targets);
    if (write === undefined) return this.#next(this.#waiting.push(event));
    this.#await(write);
    return this.#next(this.#waiting.push(write));
  }

  /** A line that is not whole: what the request did is not known. */
  pushDamaged(line: DamagedLine): Replayed | Promise<Replayed> | undefined {
    return mayEndWrite(line.remains.head) ? this.#next(this.#waiting.push(line)) : undefined;
  }

  /** A request that is known as a whole. */
  pushRequest(request: KnownRequest): Replayed {
    const write = writeEvent(request.event, this.#targets);
    if (write === undefined) throw new Error("a request is about a resource");
    const alternative = request.alternative(write);
    return { write, decision: decideAlternative(alternative, write, this.#context) };
  }

  /** What a policy that is now in force says about a request that it refuses. */
  refusalText(attributes: AdmissionAttributes, policy: string): string | undefined {
    const { validating } = this.cluster.policies(Number.MAX_VALUE, Number.MAX_VALUE).at(-1) ?? {
      validating: undefined,
    };
    const hook = validating?.hooks.find((each) => each.policy.name === policy);
    return hook && refusalText(hook, attributes, this.#context);
  }

  /** The writes that still wait, once the log has ended. */
  async *finish(): AsyncGenerator<Replayed> {
    for (let event = this.#waiting.pop(); event !== undefined; event = this.#waiting.pop()) {
      const replayed = await this.#next(event);
      if (replayed !== undefined) yield replayed;
    }
  }

  #next(item: Waiting | undefined): Replayed | Promise<Replayed> | undefined {
    if (item === undefined) return undefined;
    if ("remains" in item) return this.#damaged(item);
    if (item.at < this.#reached) this.outOfOrder += 1;
    else this.#reached = item.at;
    if ("event" in item) return this.#ended(item);
    return item.stage === "RequestReceived" ? this.#unfinished(item) : this.#observed(item);
  }

  #ended(waiting: WriteEvent): Replayed | Promise<Replayed> {
    this.#release(waiting);
    const write = this.#current(waiting);
    const decision = this.#decide(write);
    return decision instanceof Promise
      ? decision.catch(failed).then((made) => this.#finished(write, made))
      : this.#finished(write, decision);
  }

  /** The kind of a write may have been defined while the write waited. */
  #current(write: WriteEvent): WriteEvent {
    const isCurrent = this.#targets.find(write.ref) === write.target;
    return isCurrent ? write : (writeEvent(write.event, this.#targets) ?? write);
  }

  /** One strange event must not end the run. */
  #decide(write: WriteEvent): Decision | Promise<Decision> {
    try {
      return decide(write, this.#context);
    } catch (problem) {
      return failed(problem);
    }
  }

  #finished(write: WriteEvent, decision: Decision): Replayed | Promise<Replayed> {
    this.#countStranger(write);
    if (!isStoredUnseen(write)) {
      applyEffects(write, this.cluster, []);
      return { write, decision };
    }
    const nothing = (): readonly JsonObject[] => [];
    return this.#reviewed(write)
      .catch(nothing)
      .then((stored) => {
        applyEffects(write, this.cluster, stored);
        return { write, decision };
      });
  }

  /** At level Request the log has what was asked for, and not what came of it. Empty if that cannot be found out. */
  async #reviewed(write: WriteEvent): Promise<readonly JsonObject[]> {
    const { event, target } = write;
    const { type } = target;
    const body = event.request?.value();
    if (type === undefined || body === undefined) return [];
    const isPut = event.verb === "update" && isObject(body);
    const isCreated = event.code === 201;
    const known = isCreated ? undefined : this.cluster.objects.get(keyOfWrite(write));
    const forms = known?.state === "present" ? [known.object, ...(known.others ?? [])] : [];
    const live = forms.flatMap((form) => {
      const object = inVersion(form.object() ?? newObject(), target, this.cluster);
      return object === undefined ? [] : [object];
    });
    const { mutating } = this.cluster.policies(event.at, event.at).at(-1) ?? { mutating: undefined };
    if (mutating === undefined || (!isCreated && live.length === 0) || live.length > MOST_FORMS) {
      return isPut ? [withoutOwners(body)] : [];
    }
    const { version } = this.#context;
    // A later apply depends on who owns which field.
    const reviewer = { cluster: this.cluster, version, mutating, time: event.at, tracksFields: true };
    const found: JsonObject[] = [];
    for (const each of isCreated ? [undefined] : live) {
      for (const patchType of isCreated || isPut ? (["apply"] as const) : patchTypesOf(body, write)) {
        // A way to read a patch that leads to an invalid object is not how it was meant.
        const reviewed = { write, type, body, live: each, patchType, validates: true };
        const { stored } = await reconstruct(reviewed, reviewer);
        if (stored !== undefined && !found.some((form) => deepEqual(form, stored))) found.push(stored);
      }
    }
    if (isPut && found.length === 0) return [withoutOwners(body)];
    return found;
  }

  /** A request without an end: what it did is not known. */
  #unfinished(event: AuditEvent): Replayed | undefined {
    if (!this.#open.delete(event.auditID)) return undefined;
    const write = writeEvent(event, this.#targets);
    if (write === undefined) return undefined;
    applyUnfinished(write, this.cluster);
    return { write, decision: { decision: "unknown", why: "the log has no end of the request" } };
  }

  /** Its request may have begun on a line that is whole. */
  #damaged({ file, line, remains, at, until }: DamagedLine): Replayed | undefined {
    const auditID = textOf(remains.head["auditID"]);
    // A line that is whole may be in another file.
    if (this.#recent.has(auditID)) return undefined;
    this.#recent.add(auditID);
    const begun = this.#open.get(auditID);
    this.#open.delete(auditID);
    const event = eventFromHead(remains.head, at) ?? (begun && { ...begun, at });
    const why = `the line ${file}:${line} is damaged, and may be about a change of it`;
    const write = event && writeEvent(event, this.#targets);
    if (write === undefined) {
      const isCreation = textOf(remains.head["verb"]) === "create" && remains.scope.name === undefined;
      this.cluster.doubt(remains.scope, { until, why, isCreation }, at);
      return undefined;
    }
    applyDamaged(write, this.cluster, { until, why });
    return { write, decision: { decision: "unknown", why: "the line is cut" } };
  }

  #observed(event: AuditEvent): undefined {
    const write = readingEvent(event, this.#targets);
    if (write !== undefined) applyObserved(write, this.cluster);
  }

  /** Writes of objects that neither the files nor the log know show that there are such objects. */
  #countStranger(write: WriteEvent): void {
    const { event, recorded, ref } = write;
    const isFound = recorded.isAccepted && event.code !== 201 && (event.verb !== "create" || ref.subresource !== "");
    if (!isFound || ref.name === "") return;
    this.cluster.countFound(this.cluster.objects.get(keyOfWrite(write)) !== undefined);
  }

  #await(write: WriteEvent): void {
    const waiting = this.#upcoming.get(write.objectText);
    if (waiting === undefined) this.#upcoming.set(write.objectText, write);
    else if ("event" in waiting) this.#upcoming.set(write.objectText, [waiting, write]);
    else waiting.push(write);
  }

  #release(write: WriteEvent): void {
    const waiting = this.#upcoming.get(write.objectText);
    if (waiting === undefined || "event" in waiting || waiting.length === 1) {
      this.#upcoming.delete(write.objectText);
      return;
    }
    // Nearly always the first.
    waiting.splice(waiting.indexOf(write), 1);
  }

  #outcomes(write: WriteEvent, time: number): readonly Known[] {
    const waiting = this.#upcoming.get(write.objectText);
    if (waiting === undefined) return [];
    const all = "event" in waiting ? [waiting] : waiting;
    return all.flatMap(({ event, recorded, isDryRun, target }) => {
      const isRunning = recorded.isAccepted && !isDryRun && event.received < time;
      return isRunning && event.response?.isOfKind(target.type?.kind) === true ? [presentAs(event.response, true)] : [];
    });
  }
}

/** Who owns which field is only known if it is known what was there before. */
function withoutOwners(object: JsonObject): JsonObject {
  return withMeta(object, { managedFields: undefined });
}

const failed = (problem: unknown): Decision => ({ decision: "unknown", why: `not evaluated: ${String(problem)}` });

/** How many forms an object may have before it counts as unknown. */
const MOST_FORMS = 4;
