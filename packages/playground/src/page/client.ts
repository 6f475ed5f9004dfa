/**
 * Sends requests to the worker. Only one request is active at a time. Changes made meanwhile are sent as one request
 * after its response, so that typing never queues up and the newest text is checked next.
 */

import type { HoverText } from "@portcullis/checker/internal/complete/hover";
import type { Suggestions } from "@portcullis/checker/internal/complete/suggestion";
import type { CompletionRequest } from "../complete/complete.ts";
import type { Answer, Ask } from "../messages.ts";
import type { Details, Outcome, SchemaPlaces } from "../review/outcome.ts";
import type { VersionsNote } from "../review/versions.ts";
import type { State } from "../state.ts";
import type { Timing } from "./verdict.ts";

export interface Listener {
  outcome(outcome: Outcome, timing: Timing): void;
  places(places: SchemaPlaces): void;
  details(details: Details): void;
  versions(note: VersionsNote): void;
  /** Verdict and details are there, and nothing newer was requested. */
  idle(): void;
  busy(): void;
  ready(): void;
  broken(message: string): void;
}

export class Client {
  readonly #worker: Worker;
  readonly #listener: Listener;
  #id = 0;
  #isBusy = false;
  #waiting: State | undefined;
  #completionId = 0;
  #suggest: ((suggestions: Suggestions | undefined) => void) | undefined;
  #hoverId = 0;
  #explain: ((hover: HoverText | undefined) => void) | undefined;
  #askedAt = 0;
  #changedAt = 0;
  /** When the first response to the last request arrived. */
  #feltAt: number | undefined;

  constructor(worker: Worker, listener: Listener) {
    this.#worker = worker;
    this.#listener = listener;
    worker.addEventListener("message", ({ data }: MessageEvent<Answer>) => this.#receive(data));
    worker.addEventListener("error", ({ message }) => listener.broken(message));
  }

  ask(state: State): void {
    this.#listener.busy();
    this.#changedAt = performance.now();
    if (this.#isBusy) this.#waiting = state;
    else this.#send(state);
  }

  #send(state: State): void {
    this.#isBusy = true;
    this.#waiting = undefined;
    this.#askedAt = this.#changedAt;
    this.#feltAt = undefined;
    this.#post({ kind: "review", id: ++this.#id, state });
  }

  /** Completions at a place. Only the last request gets results. */
  complete(request: CompletionRequest): Promise<Suggestions | undefined> {
    this.#suggest?.(undefined);
    const id = ++this.#completionId;
    this.#post({ kind: "complete", id, request });
    return new Promise((resolve) => {
      this.#suggest = resolve;
    });
  }

  /** Documentation for a place. Only the last request gets a result. */
  hover(request: CompletionRequest): Promise<HoverText | undefined> {
    this.#explain?.(undefined);
    const id = ++this.#hoverId;
    this.#post({ kind: "hover", id, request });
    return new Promise((resolve) => {
      this.#explain = resolve;
    });
  }

  #post(ask: Ask): void {
    this.#worker.postMessage(ask);
  }

  #receive(answer: Answer): void {
    switch (answer.kind) {
      case "ready":
        this.#listener.ready();
        return;
      case "outcome":
        // Another request may have been sent after a preliminary response.
        if (answer.id !== this.#id) return;
        this.#feltAt ??= performance.now();
        this.#listener.outcome(answer.outcome, {
          review: answer.milliseconds,
          felt: this.#feltAt - this.#askedAt,
          whole: performance.now() - this.#askedAt,
          isInterim: answer.isInterim,
        });
        this.#next();
        return;
      case "places":
        if (answer.id === this.#id) this.#listener.places(answer.places);
        return;
      case "details":
        if (answer.id !== this.#id) return;
        this.#listener.details(answer.details);
        if (this.#waiting === undefined) this.#listener.idle();
        return;
      case "versions":
        if (answer.id === this.#id) this.#listener.versions(answer.note);
        return;
      case "completion":
        if (answer.id !== this.#completionId) return;
        this.#suggest?.(answer.suggestions);
        this.#suggest = undefined;
        return;
      case "hovered":
        if (answer.id !== this.#hoverId) return;
        this.#explain?.(answer.hover);
        this.#explain = undefined;
        return;
      case "broken":
        this.#listener.broken(answer.message);
        this.#next();
        if (!this.#isBusy) this.#listener.idle();
        return;
    }
  }

  #next(): void {
    this.#isBusy = false;
    if (this.#waiting !== undefined) this.#send(this.#waiting);
  }
}
