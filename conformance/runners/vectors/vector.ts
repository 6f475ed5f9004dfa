/** Request and response pairs recorded from a real API server. */

export interface Vector {
  readonly name: string;
  readonly setup?: readonly Step[];
  readonly steps: readonly Step[];
  readonly cleanup?: readonly Step[];
  readonly unordered?: boolean;
  readonly expect: readonly Outcome[];
}

export interface Step {
  readonly method?: string;
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly contentType?: string;
  readonly body?: unknown;
  readonly raw?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The user; by default the administrator. */
  readonly as?: string;
  /** The recorded server needed time here: the answer was asked for again until it fitted. */
  readonly until?: { readonly code?: number };
  readonly pick?: readonly string[];
  readonly managedFields?: boolean;
  readonly details?: boolean;
  readonly text?: boolean;
  readonly capture?: Readonly<Record<string, string>>;
}

export interface Outcome {
  readonly code?: number;
  readonly reason?: string;
  readonly message?: string;
  readonly causes?: readonly unknown[];
  readonly warnings?: readonly string[];
  readonly object?: unknown;
  readonly setupFailed?: Outcome;
}

export interface Suite {
  readonly suite: string;
  readonly vectors: readonly Vector[];
}
