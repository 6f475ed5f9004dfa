/**
 * Mutating webhooks: called one after another, each with the changes of the earlier ones.
 *
 * Follows apiserver pkg/admission/plugin/webhook/mutating/dispatcher.go.
 */

import type { AdmissionAttributes } from "../policy/attributes.ts";
import { Reinvocation, type ReinvocationState } from "../policy/mutating/reinvocation.ts";
import { internalError, StatusError } from "../status/error.ts";
import { deepEqual } from "../value/equal.ts";
import type { JsonObject } from "../value/json.ts";
import { minorOf } from "../value/server-version.ts";
import { canonicalJson } from "../value/text.ts";
import { type Asked, askWebhook, consequence, failed, observation } from "./ask.ts";
import type { WebhookContext } from "./context.ts";
import { isExemptKind } from "./exempt.ts";
import * as messages from "./messages.ts";
import { observeSelection } from "./observe.ts";
import { applyPatch, decodePatch, type PatchedKind, patchText, rawError } from "./patch.ts";
import type { WebhookResponse } from "./response.ts";
import { type Invocation, type Selection, selectWebhook } from "./select.ts";
import { baseOf, type ConversionContext, type VersionedState, versionedAs } from "./versioned.ts";
import { type AdmissionWebhook, ignoresFailures } from "./webhook.ts";
import type { PlacedWebhook, WebhookSet } from "./webhook-set.ts";

export interface MutatingContext extends WebhookContext {
  readonly patched: PatchedKind;
  readonly isCustom: boolean;
  /** The state after the first run; undefined in the first run. */
  readonly previous: ReinvocationState | undefined;
  /**
   * Whether managed fields have a time that upstream still holds with fractions of a second: decoding the object drops
   * them, so that the first patch always counts as a change.
   */
  readonly hasFreshTimes: boolean;
}

export interface MutationResult {
  /** The object to continue with. */
  readonly object: JsonObject | undefined;
  readonly error: StatusError | undefined;
  /** Whether mutating admission must run once more. */
  readonly reinvokes: boolean;
  readonly state: ReinvocationState;
}

const NO_STATE: ReinvocationState = { lastOutput: undefined, invoked: new Set(), due: new Set() };

export async function mutateByWebhooks(
  all: WebhookSet,
  attributes: AdmissionAttributes,
  context: MutatingContext,
): Promise<MutationResult> {
  const { previous } = context;
  const state = previous ?? NO_STATE;
  const { object } = attributes;
  const set = isExemptKind(attributes.kind) ? all.staticPart : all;
  if (set === undefined) return { object, error: undefined, reinvokes: false, state };
  const again = new Reinvocation(state, previous !== undefined, object);
  const run = new MutatingRun(attributes, context, again);
  for (const placed of set.candidates(attributes, context.equivalents)) {
    const error = await run.consider(placed);
    if (error !== undefined) return { object, error, reinvokes: again.isWanted, state: again.leave(object) };
  }
  const result = await run.finish();
  const error = result instanceof StatusError ? result : undefined;
  const left = result instanceof StatusError ? object : result;
  const seen = left && (context.patched.written?.(left, attributes.kind) ?? left);
  return { object: left, error, reinvokes: again.isWanted, state: again.leave(seen) };
}

class MutatingRun {
  readonly #attributes: AdmissionAttributes;
  readonly #context: MutatingContext;
  readonly #again: Reinvocation;
  readonly #conversion: ConversionContext;
  readonly #round: 0 | 1;
  #state: VersionedState | undefined;
  #hasFreshTimes: boolean;

  constructor(attributes: AdmissionAttributes, context: MutatingContext, again: Reinvocation) {
    this.#attributes = attributes;
    this.#context = context;
    this.#again = again;
    const { equivalents, isCustom, patched } = context;
    this.#conversion = { equivalents, isCustom, complete: patched.complete, written: patched.written };
    this.#round = again.isReinvoke ? 1 : 0;
    this.#hasFreshTimes = context.hasFreshTimes;
  }

  /** Calls the webhook if it matches the request. An error refuses the request. */
  async consider({ webhook, index }: PlacedWebhook): Promise<StatusError | undefined> {
    const { invocation, error } = await this.#select(webhook);
    if (error !== undefined || invocation === undefined) return error;
    // A webhook that was not called in the first run is not called in the second either.
    if (this.#again.isSkipped(webhook.uid)) return undefined;
    const state = await this.#context.run(() => this.#versioned(invocation));
    if (typeof state === "string") return conversionError(state);
    this.#state = state;
    return this.#call(invocation, state, index);
  }

  /** The object in the version of the request. */
  async finish(): Promise<JsonObject | undefined | StatusError> {
    const state = this.#state;
    if (state === undefined) return this.#attributes.object;
    const base = await this.#context.run(() => baseOf(state, this.#attributes, this.#conversion));
    return typeof base === "string" ? rawError(base) : base;
  }

  async #select(webhook: AdmissionWebhook): Promise<Selection> {
    const attributes = { ...this.#attributes, object: this.#state?.object ?? this.#attributes.object };
    const selection = await this.#context.run((lookups) =>
      selectWebhook(webhook, attributes, {
        ...this.#context,
        ...lookups,
        versioned: (kind) => {
          const state = versionedAs(kind, this.#state, this.#attributes, this.#conversion);
          return typeof state === "string" ? conversionError(state) : state;
        },
      }),
    );
    observeSelection(webhook.name, selection, "admit", this.#attributes, this.#context);
    return selection;
  }

  #versioned({ kind }: Invocation): VersionedState | string {
    return versionedAs(kind, this.#state, this.#attributes, this.#conversion);
  }

  async #call(invocation: Invocation, state: VersionedState, index: number): Promise<StatusError | undefined> {
    const { webhook } = invocation;
    const { clock, observer } = this.#context;
    const start = clock();
    const asked = await askWebhook(invocation, this.#attributes, state, this.#context, "admit");
    const patched = asked.outcome === "allowed" ? this.#patch(asked.response, state, webhook, index) : UNCHANGED;
    const outcome = patched.failure ?? asked;
    this.#annotate("mutation", index, mutationText(webhook, patched.isChanged));
    const { operation } = this.#attributes;
    observer.called(observation(outcome, webhook, { type: "admit", operation, seconds: clock() - start }));
    if (patched.isChanged) this.#again.changed();
    if (webhook.reinvocationPolicy === "IfNeeded") this.#again.mayRunAgain(webhook.uid);
    if (outcome.outcome === "allowed") return undefined;
    if (outcome.outcome === "failed" && ignoresFailures(webhook)) this.#failOpen(webhook, index);
    return consequence(outcome, webhook, this.#context);
  }

  #failOpen({ name }: AdmissionWebhook, index: number): void {
    this.#context.observer.failedOpen(name, "admit");
    this.#annotate("failed-open.mutation", index, name);
  }

  #patch(
    { patch, patchType }: WebhookResponse,
    state: VersionedState,
    webhook: AdmissionWebhook,
    index: number,
  ): PatchResult {
    if (patch.length === 0) return UNCHANGED;
    const decoded = decodePatch(patch);
    if (decoded.error !== undefined) return this.#undecodable(decoded.error);
    const { operations } = decoded;
    if (operations.length === 0) return UNCHANGED;
    if (state.object === undefined) return refusedPatch(internalError(messages.nothingToPatch(webhook.name)));
    if (patchType !== "JSONPatch") return failedPatch(messages.unsupportedPatchType(patchType), 400);
    const text = patchText(operations);
    const result = applyPatch(state.object, operations, state.kind, this.#context.patched);
    if (result instanceof StatusError) return refusedPatch(result);
    this.#annotate("patch", index, patchAnnotation(webhook, text), "Request");
    const isChanged = this.#takeFreshTimes() || !deepEqual(state.object, this.#written(result.undefaulted, state));
    this.#state = { ...state, object: this.#written(result.object, state), kept: result.object, isDirty: true };
    return { isChanged, failure: undefined };
  }

  /** Up to 1.33 not a failed call, so that the failure policy does not count. */
  #undecodable(reason: string): PatchResult {
    if (minorOf(this.#context.version) < 34) return refusedPatch(internalError(reason));
    return failedPatch(messages.undecodablePatch(reason));
  }

  #written(object: JsonObject, { kind }: VersionedState): JsonObject {
    return this.#context.patched.written?.(object, kind) ?? object;
  }

  #takeFreshTimes(): boolean {
    const isFresh = this.#hasFreshTimes;
    this.#hasFreshTimes = false;
    return isFresh;
  }

  #annotate(what: string, index: number, value: string, level?: "Request"): void {
    this.#context.annotate(`${what}.webhook.admission.k8s.io/round_${this.#round}_index_${index}`, value, level);
  }
}

/** Upstream wraps it twice. */
function conversionError(reason: string): StatusError {
  return internalError(internalError(reason).message);
}

interface PatchResult {
  readonly isChanged: boolean;
  readonly failure: Asked | undefined;
}

const UNCHANGED: PatchResult = { isChanged: false, failure: undefined };

function failedPatch(reason: string, code = 503): PatchResult {
  return { isChanged: false, failure: failed(reason, code) };
}

function refusedPatch(error: StatusError): PatchResult {
  return { isChanged: false, failure: { outcome: "refused", error } };
}

function mutationText({ configuration, name }: AdmissionWebhook, isMutated: boolean): string {
  return `{${namesText(configuration, name)},"mutated":${isMutated}}`;
}

function patchAnnotation({ configuration, name }: AdmissionWebhook, patch: string): string {
  return `{${namesText(configuration, name)},"patch":${patch},"patchType":"JSONPatch"}`;
}

function namesText(configuration: string, name: string): string {
  return `"configuration":${canonicalJson(configuration)},"webhook":${canonicalJson(name)}`;
}
