/** Policies of the KEP-3488 draft among v1 objects: converted before anything is evaluated. */
import { convertDraftPolicy, type DraftFinding, isDraftPolicy } from "@portcullis/engine/internal/policy/draft/convert";
import type { JsonObject } from "@portcullis/engine/internal/value/json";
import { UsageError } from "../input/usage-error.ts";
import { placesOfType } from "./type-places.ts";

export interface Converted {
  readonly objects: readonly JsonObject[];
  /** What the conversion assumed. */
  readonly notes: readonly string[];
}

/** Objects without drafts are returned as they are. A draft that cannot be converted completely is an error. */
export function convertDrafts(objects: readonly JsonObject[]): Converted {
  if (!objects.some(isDraftPolicy)) return { objects, notes: [] };
  const converted = convertDraftPolicy(objects, { placesOf: placesOfType });
  const problem = converted.findings.find(({ level }) => level === "error");
  if (problem !== undefined) throw new UsageError(placed(problem));
  return { objects: converted.objects, notes: converted.findings.map(placed) };
}

function placed({ object, path, message }: DraftFinding): string {
  return `${object}: ${path}: ${message}`;
}
