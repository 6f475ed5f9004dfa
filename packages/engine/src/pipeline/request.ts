/** What a write asks for, whoever asks: the server, the command line, a page. */
import type { CompareTimer } from "../schema/correlate.ts";
import type { JsonObject } from "../value/json.ts";
import type { Outline } from "../value/outline.ts";
import type { CustomResource } from "./custom-resource.ts";
import type { SystemFields } from "./prepare.ts";

/** What happens to unknown and duplicate fields. */
export type FieldValidation = "Strict" | "Warn" | "Ignore";

export interface WriteRequest {
  readonly resource: CustomResource;
  /** "" for cluster-scoped resources. */
  readonly namespace: string;
  readonly fieldValidation: FieldValidation;
  readonly system: SystemFields;
  /** Gets each warning in order, also when the request is refused afterwards. */
  readonly warn: (text: string) => void;
  /** Measures the comparing of updates. */
  readonly timer?: CompareTimer | undefined;
}

/** A body that has been decoded as JSON or YAML. */
export interface DecodedBody {
  readonly object: JsonObject;
  /** Duplicate keys, in the decoder's words. */
  readonly strictErrors: readonly string[];
  /** Where the decoder made one. */
  readonly outline?: Outline | undefined;
}
