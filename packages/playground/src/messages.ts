/** What the page and its worker say to each other. */
import type { CompletionRequest } from "./complete/complete.ts";
import type { Suggestions } from "./complete/suggestion.ts";
import type { Details, Outcome, SchemaPlaces } from "./review/outcome.ts";
import type { VersionsNote } from "./review/versions.ts";
import type { State } from "./state.ts";

export type Ask =
  | {
      readonly kind: "review";
      /** Counts up; answers to older ones are out of date. */
      readonly id: number;
      readonly state: State;
    }
  | { readonly kind: "complete"; readonly id: number; readonly request: CompletionRequest };

export type Answer =
  /** The worker has all its code and needs nothing more from anywhere. */
  | { readonly kind: "ready" }
  | {
      readonly kind: "outcome";
      readonly id: number;
      readonly outcome: Outcome;
      readonly milliseconds: number;
      /** Whether another one follows that says more. */
      readonly isInterim: boolean;
    }
  | { readonly kind: "places"; readonly id: number; readonly places: SchemaPlaces }
  | { readonly kind: "details"; readonly id: number; readonly details: Details }
  | { readonly kind: "versions"; readonly id: number; readonly note: VersionsNote }
  | { readonly kind: "completion"; readonly id: number; readonly suggestions: Suggestions | undefined }
  /** A defect of ours. */
  | { readonly kind: "broken"; readonly id: number; readonly message: string };
