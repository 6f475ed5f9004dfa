/** What page and worker send each other. */
import type { EmbeddedCompletions, EmbeddedFinding } from "./finding.ts";

export interface Context {
  readonly crds: string;
  readonly policies: string;
  readonly kubeVersion: string | undefined;
}

export type Question =
  | { readonly kind: "context"; readonly context: Context }
  | { readonly kind: "check"; readonly id: number; readonly text: string; readonly old: string }
  | { readonly kind: "complete"; readonly id: number; readonly text: string; readonly offset: number };

export type Reply =
  | { readonly id: number; readonly findings: readonly EmbeddedFinding[] }
  | { readonly id: number; readonly completions: EmbeddedCompletions | undefined }
  | { readonly id: number; readonly failure: string };
