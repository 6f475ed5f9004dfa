/** Request and response pairs recorded from a real API server. */

export interface Vector {
  readonly name: string;
  readonly setup?: readonly Step[];
  readonly steps: readonly Step[];
  readonly cleanup?: readonly Step[];
  readonly unordered?: boolean;
  /** How webhooks answer, by name: one script, or one for each call. Those without a script allow. */
  readonly webhooks?: Readonly<Record<string, HookScript | readonly HookScript[]>>;
  /** Whether the headers of calls are compared. */
  readonly callHeaders?: boolean;
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
  /** The recorded server needed time here: the request was repeated until the response matched. */
  readonly until?: { readonly code?: number };
  readonly pick?: readonly string[];
  readonly managedFields?: boolean;
  readonly details?: boolean;
  readonly text?: boolean;
  readonly capture?: Readonly<Record<string, string>>;
}

export interface HookScript {
  readonly respond?: {
    readonly patch?: readonly unknown[];
    readonly patchType?: string | null;
    readonly [key: string]: unknown;
  };
  /** The patch before it is encoded, or as it is sent. */
  readonly patchText?: string;
  readonly patchRaw?: unknown;
  /** In place of the right ones; null leaves them out. */
  readonly uid?: string | null;
  readonly apiVersion?: string | null;
  readonly kind?: string | null;
  readonly noResponse?: boolean;
  /** The whole body. */
  readonly raw?: string;
  readonly httpStatus?: number;
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly delayMs?: number;
  readonly hangup?: boolean;
  /** Whether it is called beside others, so that the order is open. */
  readonly validating?: boolean;
}

export interface Outcome {
  readonly code?: number;
  readonly reason?: string;
  readonly message?: string;
  readonly causes?: readonly unknown[];
  readonly warnings?: readonly string[];
  readonly object?: unknown;
  /** The reviews that webhooks were sent. */
  readonly calls?: readonly unknown[];
  readonly setupFailed?: Outcome;
}

export interface Suite {
  readonly suite: string;
  readonly vectors: readonly Vector[];
}
