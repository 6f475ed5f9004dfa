/** Compares our result with the recorded one. */
import { isDeepStrictEqual } from "node:util";
import type { Answer } from "./case.ts";

export interface Difference {
  readonly field: string;
  readonly want: unknown;
  readonly got: unknown;
}

const FIELDS = ["issues", "type", "estimate", "programError", "value", "error", "cost"] as const;

/** If upstream panics, only what it did before is compared, and that we return a result. */
export function differences(want: Answer, got: Answer): readonly Difference[] {
  const fields = want.panic === undefined ? FIELDS : FIELDS.filter((field) => want[field] !== undefined);
  return fields.flatMap((field) =>
    isDeepStrictEqual(plain(want[field]), plain(got[field])) ? [] : [{ field, want: want[field], got: got[field] }],
  );
}

/** Drops what JSON cannot hold, such as absent members. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}
