/** A write request, the same for the server, the command line and the playground. */
import type { FieldValidation } from "../../codec/strict.ts";
import type { CompareTimer } from "../../schema/correlate.ts";
import type { StatusError } from "../../status/error.ts";
import type { SystemFields } from "../system.ts";
import type { CustomResource } from "./custom-resource.ts";
import type { RatchetingReport } from "./ratcheting-report.ts";

export interface WriteRequest {
  readonly resource: CustomResource;
  /** "" for cluster-scoped resources. */
  readonly namespace: string;
  readonly fieldValidation: FieldValidation;
  readonly system: SystemFields;
  /** Gets each warning in order, also when the request is refused afterwards. */
  readonly warn: (text: string) => void;
  /** Throws, or takes note where the caller continues with an invalid object. */
  readonly refuse: (refusal: StatusError) => void;
  /** Whether the object is only prepared. */
  readonly isAssumedValid?: boolean | undefined;
  /** Measures the comparing of updates. */
  readonly timer?: CompareTimer | undefined;
  /** Gets what ratcheting forgave and kept, also when the request is refused afterwards. */
  readonly onRatcheting?: ((report: RatchetingReport) => void) | undefined;
}
