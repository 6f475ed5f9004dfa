/** What rows of policy pairs expect. `some?` and `none?` are settled, but a proof or an example need not be found. */
import { expect } from "vitest";
import { compareAmong, givenObjects } from "./proof-pair.ts";
import type { ServerRow } from "./proof-rows.ts";

export function isRight(found: string, wanted: string): boolean {
  return wanted.endsWith("?") ? found === "unknown" || `${found}?` === wanted : found === wanted;
}

export async function expectRow(
  [, resource, old, next, denied, allowed]: ServerRow,
  objects: readonly object[] = givenObjects,
): Promise<void> {
  const { newlyDenied, newlyAllowed } = await compareAmong(objects, resource, old, next);
  const found = { denied: newlyDenied.verdict, allowed: newlyAllowed.verdict };
  const want = { denied, allowed };
  expect(isRight(found.denied, denied) && isRight(found.allowed, allowed) ? want : found).toEqual(want);
}
