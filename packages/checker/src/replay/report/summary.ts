/** What a log says about policies: how many writes they hit, whose, where and when, with an example of each. */
import type { AdmissionAttributes } from "@portcullis/engine/internal/policy/attributes";
import type { Decision } from "../decide.ts";
import type { Replayed } from "../replay.ts";
import type { WriteEvent } from "../write-event.ts";
import { Tally } from "./tally.ts";

/** A policy and the writes it would refuse. */
export class PolicyHits {
  readonly policy: string;
  /** All writes that it refuses. */
  denied = 0;
  /** Those that are not refused without it: by what happened, or by the policies that are compared with. */
  newly = 0;
  warned = 0;
  audited = 0;
  first: number | undefined;
  last: number | undefined;
  readonly users = new Tally();
  readonly namespaces = new Tally();
  readonly clients = new Tally();
  readonly messages = new Tally();
  /** The smallest write that it newly refuses, or refuses. */
  example: Example | undefined;

  constructor(policy: string) {
    this.policy = policy;
  }
}

export interface Example {
  readonly auditID: string;
  readonly isNew: boolean;
  readonly size: number;
  readonly attributes: AdmissionAttributes;
  readonly message: string;
}

export class Summary {
  writes = 0;
  readonly decisions = { allowed: 0, denied: 0, unknown: 0 };
  /** Compared with what happened, or with other policies. */
  newlyDenied = 0;
  newlyAllowed = 0;
  first: number | undefined;
  last: number | undefined;
  readonly unknown = new Tally();
  readonly policies = new Map<string, PolicyHits>();

  /** `before` is the decision of the policies that are compared with; undefined compares with what happened. */
  add({ write, decision }: Replayed, before: Decision | undefined): void {
    this.writes += 1;
    this.decisions[decision.decision] += 1;
    const { at } = write.event;
    if (at > 0) {
      this.first = Math.min(this.first ?? at, at);
      this.last = Math.max(this.last ?? at, at);
    }
    if (decision.decision === "unknown") this.unknown.add(decision.why ?? "");
    const was = before === undefined ? recordedDecision(write) : before.decision;
    const isNew = decision.decision === "denied" && was === "allowed";
    if (isNew) this.newlyDenied += 1;
    if (decision.decision === "allowed" && was === "denied") this.newlyAllowed += 1;
    for (const policy of decision.denied ?? []) this.#addDenied(this.#hits(policy), write, decision, isNew);
    for (const policy of decision.warned ?? []) this.#hits(policy).warned += 1;
    for (const policy of decision.audited ?? []) this.#hits(policy).audited += 1;
  }

  #addDenied(hits: PolicyHits, { event, ref }: WriteEvent, decision: Decision, isNew: boolean): void {
    hits.denied += 1;
    if (isNew) hits.newly += 1;
    hits.users.add(event.user.name);
    hits.namespaces.add(ref.namespace);
    hits.clients.add(event.userAgent);
    // The message is that of the first policy.
    if (decision.message !== undefined && decision.denied?.[0] === hits.policy) hits.messages.add(decision.message);
    if (event.at > 0) {
      hits.first = Math.min(hits.first ?? event.at, event.at);
      hits.last = Math.max(hits.last ?? event.at, event.at);
    }
    const { attributes, message = "" } = decision;
    if (attributes === undefined || (hits.example?.isNew === true && !isNew)) return;
    const size = (event.request?.size ?? 0) + (event.response?.size ?? 0) || LARGEST_EXAMPLE;
    const isBetter = hits.example === undefined || (isNew && !hits.example.isNew) || size < hits.example.size;
    if (isBetter) hits.example = { auditID: event.auditID, isNew, size, attributes, message };
  }

  #hits(policy: string): PolicyHits {
    const known = this.policies.get(policy);
    if (known !== undefined) return known;
    const made = new PolicyHits(policy);
    this.policies.set(policy, made);
    return made;
  }
}

/** What happened; neither if the write failed for a reason that has nothing to do with what is evaluated. */
function recordedDecision({ recorded }: WriteEvent): "allowed" | "denied" | undefined {
  if (recorded.isAccepted || recorded.refusedBy === "after") return "allowed";
  return recorded.refusedBy === "before" ? undefined : "denied";
}

/** Where nothing says how large a request is. */
const LARGEST_EXAMPLE = Number.MAX_SAFE_INTEGER;
