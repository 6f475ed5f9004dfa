/** What the API server would do with a write. */
import type { StatusError } from "../status/error.ts";
import type { JsonObject } from "../value/json.ts";
import type { AdmissionDecision, Annotate } from "./cluster-view.ts";
import type { RatchetingReport } from "./custom-resource/ratcheting-report.ts";
import type { Reservation } from "./kind.ts";

/**
 * The result of a review: the object as it would be stored, or the refusal, with warnings and everything admission
 * said.
 */
export interface Outcome {
  /** The object as it would be stored, in the version of the request; undefined if the write is refused or deletes. */
  readonly object: JsonObject | undefined;
  readonly refusal: StatusError | undefined;
  /** The object as decoded: without unknown fields, with defaults. Undefined if it could not be decoded. */
  readonly decoded: JsonObject | undefined;
  /** Whether an object would be created, by whatever verb. */
  readonly isCreated: boolean;
  /** The texts of `Warning` headers, in order. A refused write has warnings too. */
  readonly warnings: readonly string[];
  /** Unknown and duplicate fields, in upstream's texts; they are among the warnings, or in the refusal, as well. */
  readonly fieldFindings: readonly string[];
  /** Undefined if nothing was compared. */
  readonly ratcheting: RatchetingReport | undefined;
  readonly admission: readonly AdmissionDecision[];
  readonly auditAnnotations: ReadonlyMap<string, string>;
  /** Those that only show in audit events with the object. */
  readonly objectAnnotations: ReadonlyMap<string, string>;
  /** What the object holds; to be released where it is not stored after all. */
  readonly reservation?: Reservation | undefined;
}

/** Collects what a review finds out beside the object. */
export class OutcomeRecorder {
  readonly warnings: string[] = [];
  readonly fieldFindings: string[] = [];
  readonly admission: AdmissionDecision[] = [];
  readonly auditAnnotations = new Map<string, string>();
  readonly objectAnnotations = new Map<string, string>();
  ratcheting: RatchetingReport | undefined;
  decoded: JsonObject | undefined;
  reservation: Reservation | undefined;
  /** Why the object is refused although the review continued. */
  invalid: StatusError | undefined;
  /** Whether webhooks were called. */
  hasCalled = false;

  readonly noteCall = (): void => {
    this.hasCalled = true;
  };

  readonly noteRefusal = (refusal: StatusError): void => {
    this.invalid ??= refusal;
  };

  readonly warn = (text: string): void => void this.warnings.push(text);
  readonly report = (decision: AdmissionDecision): void => void this.admission.push(decision);
  readonly onFindings = (findings: readonly string[]): void => {
    for (const finding of findings) this.fieldFindings.push(finding);
  };

  /** The first value of a key stays. */
  readonly annotate: Annotate = (key, value, level) => {
    const annotations = level === undefined ? this.auditAnnotations : this.objectAnnotations;
    if (!annotations.has(key)) annotations.set(key, value);
  };

  readonly onRatcheting = (report: RatchetingReport): void => {
    this.ratcheting = report;
  };
}
