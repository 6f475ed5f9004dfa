/** The messages between the page and its worker. */

import type { HoverText } from "@portcullis/checker/internal/complete/hover";
import type { Suggestions } from "@portcullis/checker/internal/complete/suggestion";
import type { CompletionRequest } from "./complete/complete.ts";
import type { Details, Outcome, SchemaPlaces } from "./review/outcome.ts";
import type { VersionsNote } from "./review/versions.ts";
import type { State } from "./state.ts";

export type Ask =
  | {
      readonly kind: "review";
      /** Counts up; results for older requests are out of date. */
      readonly id: number;
      readonly state: State;
    }
  | { readonly kind: "complete"; readonly id: number; readonly request: CompletionRequest }
  | { readonly kind: "hover"; readonly id: number; readonly request: CompletionRequest };

export type Answer =
  /** The worker has loaded all its code. */
  | { readonly kind: "ready" }
  | {
      readonly kind: "outcome";
      readonly id: number;
      readonly outcome: Outcome;
      readonly milliseconds: number;
      /** Whether a more complete one follows. */
      readonly isInterim: boolean;
    }
  | { readonly kind: "places"; readonly id: number; readonly places: SchemaPlaces }
  | { readonly kind: "details"; readonly id: number; readonly details: Details }
  | { readonly kind: "versions"; readonly id: number; readonly note: VersionsNote }
  | { readonly kind: "completion"; readonly id: number; readonly suggestions: Suggestions | undefined }
  | { readonly kind: "hovered"; readonly id: number; readonly hover: HoverText | undefined }
  /** A bug of ours. */
  | { readonly kind: "broken"; readonly id: number; readonly message: string };
